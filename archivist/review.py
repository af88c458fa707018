"""One record read once beside others, and what follows from it written once."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from archivist.candidates import Case, gather
from archivist.consequences import FOLLOWS, sound
from archivist.fact_keys import name_for
from archivist.judges import Bearing, Finding, Judge
from archivist.metrics import FINDINGS
from archivist.models import Comparison, Decision, What
from archivist.reading import audience_of
from memory import curation, outbox
from memory.audience import Audience, covers
from memory.curation import Ruling
from memory.models import Embedding, Errand, Record
from memory.models.outbox import ErrandKind
from memory.outbox import Work
from orgs.tenancy import acting_for

WAITS_FOR_MEANING = timedelta(seconds=30)
LOOKS_AGAIN_AFTER = timedelta(seconds=1)


def review(work: Work, *, judge: Judge, now: datetime) -> bool:
    """Compare a record with its neighbours, and say whether that was done with (False: put off, or another's by now).

    The judge runs outside any transaction, however slow it is; what was forgotten, hidden or edited meanwhile is looked
    at again, under lock, when its findings are written.
    """
    with acting_for(work.organization_id):
        if _meaning_is_coming(work, now=now):
            outbox.wait([work], problem="", now=now, pause=LOOKS_AGAIN_AFTER)
            return False
        case = gather(work.organization_id, work.record_id)
        if case is None:
            return outbox.settle(work)
        known = _compared(work, case, judge)
    findings = [] if known else judge.judge(case.new, case.older)
    with acting_for(work.organization_id):
        if not outbox.settle(work):
            return False
        _write(case, findings, judge=judge, work=work, now=now)
    return True


def _meaning_is_coming(work: Work, *, now: datetime) -> bool:
    """Say whether the record's vector is still being made; neighbours are found by it."""
    if now - work.promised_at > WAITS_FOR_MEANING:
        return False
    own = {"organization_id": work.organization_id, "record_id": work.record_id}
    made = Embedding.objects.filter(**own).exists()
    return not made and Errand.objects.filter(**own, kind=ErrandKind.EMBED, dead_at=None).exists()


def _compared(work: Work, case: Case, judge: Judge) -> bool:
    return Comparison.objects.filter(
        organization_id=work.organization_id,
        record_id=work.record_id,
        judge=judge.name,
        version=judge.version,
        inputs=case.inputs,
    ).exists()


def _write(case: Case, findings: Sequence[Finding], *, judge: Judge, work: Work, now: datetime) -> None:
    """Write what follows from findings, about what is still live and still says what was judged."""
    texts = {told.id: told for told in [case.new, *case.older]}
    records = curation.live(work.organization_id, texts)
    unchanged = {id for id, record in records.items() if record.content.startswith(texts[id].content)}
    new = records.get(case.new.id)
    if new is None or new.id not in unchanged:
        return  # whoever edited it has announced it anew
    kept = sound(findings, offered={told.id for told in case.older})
    comparison, fresh = Comparison.objects.get_or_create(
        organization_id=work.organization_id,
        record=new,
        judge=judge.name,
        version=judge.version,
        inputs=case.inputs,
        defaults={"candidates": len(case.older), "dropped": len(findings) - len(kept), "at": now},
    )
    if not fresh:
        return
    FINDINGS.labels("followed").inc(len(kept))
    FINDINGS.labels("dropped").inc(len(findings) - len(kept))
    pen = _Pen(new, comparison, now=now)
    for finding in kept:
        if finding.about in unchanged:
            pen.follow(finding, records[finding.about])
    pen.name(_one_fact(kept, records, unchanged))
    pen.put_down()


def _one_fact(kept: Sequence[Finding], records: Mapping[UUID, Record], unchanged: set[UUID]) -> list[Finding]:
    """Return the findings that make two records versions of one fact, the surest first."""
    return [f for f in kept if FOLLOWS[f.bearing].one_fact and f.about in records and f.about in unchanged]


class _Pen:
    """Writes about one new record, and a decision for everything that was written."""

    def __init__(self, new: Record, comparison: Comparison, *, now: datetime) -> None:
        self.new, self.comparison, self.now = new, comparison, now
        self.refused = 0

    def follow(self, finding: Finding, older: Record) -> None:
        """Write the relation of a finding, and the doubt it throws on the older record."""
        consequence = FOLLOWS[finding.bearing]
        earlier = self.new.observed_at < older.observed_at  # saved later, but seen before: it outdates nothing
        relation = FOLLOWS[Bearing.RELATES].relation if earlier else consequence.relation
        ruling = curation.relate(self.new, older, kind=relation, weight=finding.weight, now=self.now)
        self._note(ruling, What(relation.value), finding, older, amount=finding.weight)
        if not consequence.doubt or earlier:
            return
        amount = round(consequence.doubt * finding.weight, 4)
        ruling = curation.doubt(older, because=self.new, amount=amount, refutes=consequence.refutes, now=self.now)
        self._note(ruling, What.REFUTES if consequence.refutes else What.REFINES, finding, older, amount=amount)

    def name(self, versions: Sequence[Finding]) -> None:
        """Give the new record a fact key, if it has none: that of a fact it is a version of, or one of its own.

        Only a record that everybody sees who sees the new one lends its key: nobody learns of a hidden one by it.
        """
        if self.new.fact_key is not None or self._name_was_undone():
            return
        audience = audience_of(self.new)
        for finding in versions:
            older = curation.live(self.new.organization_id, [finding.about])[finding.about]
            if covers(audience_of(older), audience) and self._is_named(older, audience):
                ruling = curation.name_fact(self.new, older.fact_key or "", now=self.now)
                self._note(ruling, What.FACT_KEY, finding, older, amount=None)
                return
        ruling = curation.name_fact(self.new, name_for(self.new.content, id=self.new.id), now=self.now)
        self._note(ruling, What.FACT_KEY, None, None, amount=None)

    def put_down(self) -> None:
        """Count what was followed, and what was not."""
        if self.refused:
            self.comparison.dropped += self.refused
            self.comparison.save(update_fields=["dropped"])

    def _is_named(self, older: Record, audience: Audience) -> bool:
        """Say whether an older record has a name; one not reviewed yet gets the name that its own review would give.

        But not on behalf of a record that others don't see: they would see the name come.
        """
        if older.fact_key is None and covers(audience, audience_of(older)):
            curation.name_fact(older, name_for(older.content, id=older.id), now=self.now)
        return older.fact_key is not None

    def _name_was_undone(self) -> bool:
        return Decision.objects.filter(
            organization_id=self.new.organization_id, record=self.new, what=What.FACT_KEY, undone_at__isnull=False
        ).exists()

    def _note(
        self, ruling: Ruling, what: What, finding: Finding | None, older: Record | None, *, amount: float | None
    ) -> None:
        if ruling not in {Ruling.WRITTEN, Ruling.ALREADY}:
            self.refused += 1
        if ruling != Ruling.WRITTEN:
            return
        decision = Decision(
            organization_id=self.new.organization_id,
            comparison=self.comparison,
            record=self.new,
            about=older,
            what=what,
            amount=amount,
            reason=finding.reason[:60] if finding else "own words",
            at=self.now,
        )
        Decision.objects.bulk_create([decision], ignore_conflicts=True)
