"""Records and tombstones come in: each once, under its own id if that is free, and over nothing that is here."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from memory import quotas
from memory.models import Record
from memory.models.outbox import ErrandKind
from memory.outbox import announce_all
from memory.protocol.shapes import Difference, NewId, RecordLine, TombstoneLine
from memory.sources import digest_of
from memory.transfer.building import row_of
from memory.transfer.checking import checked
from memory.transfer.identity import id_here
from memory.transfer.people import known_here, owner_of
from memory.transfer.reading import Broken, Numbered
from memory.transfer.reporting import Report
from memory.versions import content_digest
from orgs.caller import Caller
from orgs.errors import Clash, TooMany
from orgs.names import canonical

PROMISED = (ErrandKind.EMBED, ErrandKind.SCAN)
"""Not reviewed anew: what the archivist had found comes in with them."""

ArrivingLine = RecordLine | TombstoneLine


def arrive(caller: Caller, batch: Sequence[Numbered], report: Report, *, now: datetime) -> None:
    """Take in the records and tombstones of a batch. Needs the organization's transaction.

    Raises Broken for a line that can't be taken in; then nothing of the batch must be kept.
    """
    arrivals = [checked(one, report, now=now) for one in batch]
    here = _Here(caller, [one.line.id for one in arrivals])
    fresh: list[tuple[Numbered, Record]] = []
    known = known_here(caller, [one.line for one in arrivals])
    for one in arrivals:
        found = here.row(one.line.id)
        if found is not None:
            _meet(one, found, report, compare=found.id in here.seen)
            continue
        owner = owner_of(one.line, caller, known)
        report.tally["narrowed"] += owner.narrowed
        report.authors.update([owner.replaces] if owner.replaces else [])
        fresh.append((one, row_of(one, here.free_id(one.line.id), caller, owner, known)))
    _require_room(caller, batch, len(fresh), now=now)
    _keep(caller, fresh, report)
    live = [row.id for one, row in fresh if isinstance(one.line, RecordLine)]
    announce_all(caller.organization_id, live, now=now, kinds=PROMISED)


def _require_room(caller: Caller, batch: Sequence[Numbered], number: int, *, now: datetime) -> None:
    try:
        quotas.take(caller, number, now=now)
    except TooMany as refusal:
        raise Broken(batch[0].number, refusal) from None


class _Here:
    """What the project holds already: of ids as far as the importer sees it, and of those given out in their place."""

    def __init__(self, caller: Caller, ids: Sequence[UUID]) -> None:
        self.project_id = caller.writes_in
        mine = Record.objects.in_organization(caller.organization_id)
        visible = Record.objects.known_to(caller).filter(project_id=self.project_id)
        others = [id_here(self.project_id, id) for id in ids]
        self.seen = set(visible.with_ids([*ids, *others]).values_list("id", flat=True))
        wanted = [*(id for id in ids if id in self.seen), *others]
        rows = mine.filter(project_id=self.project_id).with_ids(wanted)
        self.rows = rows.defer("words", "content").select_related("workspace").in_bulk()
        self.taken = set(mine.with_ids(ids).values_list("id", flat=True)) - self.seen

    def row(self, id: UUID) -> Record | None:
        """Return the record of this id, or the one that came in for it before."""
        return self.rows.get(id) or self.rows.get(id_here(self.project_id, id))

    def free_id(self, id: UUID) -> UUID:
        """Return the id to try: another one at once where a record that the importer doesn't see here has it."""
        return id_here(self.project_id, id) if id in self.taken else id


def _meet(one: Numbered, row: Record, report: Report, *, compare: bool) -> None:
    fields = _differing(one.line, row) if compare else []
    report.targets[one.line.id] = None if fields else row.id
    report.tally["differing" if fields else "unchanged"] += 1
    if fields:
        report.differences.append(Difference(line=one.number, id=row.id, fields=fields))


def _differing(line: ArrivingLine, row: Record) -> list[str]:
    told = {
        "workspace": (canonical(line.workspace), row.workspace.name),
        "created_at": (line.created_at, row.created_at),
        "forgotten": (isinstance(line, TombstoneLine), row.forgotten_at is not None),
    }
    if isinstance(line, RecordLine):
        told["content"] = (content_digest(line.content), row.content_digest)
        told["fact_key"] = (line.fact_key, row.fact_key)
        told["source_hash"] = (digest_of(line.source_hash), row.source_digest)
    else:
        told["content"] = (line.content_digest, row.content_digest)
    return [name for name, (there, here) in told.items() if there != here]


def _keep(caller: Caller, fresh: Sequence[tuple[Numbered, Record]], report: Report) -> None:
    """Store the rows; one whose id another organization holds takes another, and nobody learns whose it is."""
    _insert(caller, fresh)
    for one, row in fresh:
        report.targets[one.line.id] = row.id
        report.created["records" if isinstance(one.line, RecordLine) else "tombstones"] += 1
        if row.id != one.line.id:
            report.tally["renamed"] += 1
            report.new_ids.append(NewId(was=one.line.id, id=row.id))
    dependent = [(one.line, row) for one, row in fresh if isinstance(one.line, RecordLine) and one.line.depends_on]
    for line, row in dependent:
        targets = [report.target(id) for id in line.depends_on]
        row.depends_on = [id for id in targets if id is not None]
        report.tally["links_left_out"] += len(targets) - len(row.depends_on)
    Record.objects.bulk_update([row for _, row in dependent], ["depends_on"])


def _insert(caller: Caller, fresh: Sequence[tuple[Numbered, Record]]) -> None:
    Record.objects.bulk_create([row for _, row in fresh], ignore_conflicts=True)
    others = _not_kept(caller, fresh)
    for _, row in others:
        row.id = id_here(caller.writes_in, row.id)
    Record.objects.bulk_create([row for _, row in others], ignore_conflicts=True)
    for one, _ in _not_kept(caller, others):
        raise Broken(one.number, Clash("This id, and the one in its place, are taken; give it a new one.", field="id"))


def _not_kept(caller: Caller, fresh: Sequence[tuple[Numbered, Record]]) -> list[tuple[Numbered, Record]]:
    mine = Record.objects.in_organization(caller.organization_id).filter(project_id=caller.writes_in)
    kept = set(mine.with_ids([row.id for _, row in fresh]).values_list("id", flat=True)) if fresh else set()
    return [(one, row) for one, row in fresh if row.id not in kept]
