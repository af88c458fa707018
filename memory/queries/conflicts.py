"""Facts whose live versions differ, as the caller sees them: each is one question, which of these is right?"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from uuid import UUID

from django.db.models import Exists, OuterRef, Q

from memory.filters import named
from memory.models import Record
from memory.models.record import RecordQuerySet
from memory.protocol import shapes
from memory.protocol.vocabulary import Reason
from memory.queries.pages import page
from memory.showing import show
from memory.sight import require_sight
from memory.standing import look
from orgs.caller import Caller
from orgs.tenancy import acting_for

MOST_OPTIONS = 10

Fact = tuple[UUID, str | None]  # workspace id, fact key


def conflicts(caller: Caller, inputs: shapes.ConflictInputs, *, now: datetime) -> shapes.ConflictList:
    """Return a page of conflicts, those with the newest version first."""
    require_sight(caller)
    asked = f"{caller.organization_id} conflicts {inputs.model_dump_json(exclude={'limit', 'cursor'})}"
    with acting_for(caller.organization_id):
        rows = named(versions(caller), workspace=inputs.workspace, fact_key=inputs.fact_key)
        newest = _newest_with_others(rows, caller).defer("words").select_related("workspace")

        def differing(some: Sequence[Record]) -> Iterable[Record]:
            rivals = in_conflict(some, caller, now=now)
            return [record for record in some if _fact_of(record) in rivals]

        found = page(newest, inputs, bound_to=asked, judge=differing)
        return shapes.ConflictList(results=_shown(found.rows, caller, now=now), meta=found.meta)


def versions(caller: Caller) -> RecordQuerySet:
    """Return the live records that are current for the caller and have a fact key."""
    return Record.objects.visible_to(caller).current_for(caller).filter(fact_key__isnull=False)


def in_conflict(facts: Sequence[Record], caller: Caller, *, now: datetime) -> Mapping[Fact, list[Record]]:
    """Return, of the facts that these records are versions of, those that are in conflict, and their versions."""
    by_fact = _by_fact(_of_facts(facts, caller).only("id", "workspace_id", "fact_key"))
    seen = look([one.id for some in by_fact.values() for one in some], caller, now=now)
    return {
        fact: some
        for fact, some in by_fact.items()
        if any(ground.reason is Reason.OTHER_VERSIONS for one in some for ground in seen[one.id].standing.grounds)
    }


def _newest_with_others(rows: RecordQuerySet, caller: Caller) -> RecordQuerySet:
    """Keep the newest version of every fact of which another version says, or may say, something else."""
    same = versions(caller).filter(
        project_id=OuterRef("project_id"), workspace_id=OuterRef("workspace_id"), fact_key=OuterRef("fact_key")
    )
    newer = Q(created_at__gt=OuterRef("created_at")) | Q(created_at=OuterRef("created_at"), id__gt=OuterRef("id"))
    equal = Q(content_digest=OuterRef("content_digest"), source_digest=OuterRef("source_digest"))
    return rows.filter(Exists(same.exclude(equal))).exclude(Exists(same.filter(newer)))


def _of_facts(facts: Sequence[Record], caller: Caller) -> RecordQuerySet:
    places = Q(pk__in=[])
    for one in facts:
        places |= Q(project_id=one.project_id, workspace_id=one.workspace_id, fact_key=one.fact_key)
    return versions(caller).filter(places).order_by("-created_at", "-id")


def _shown(newest: Sequence[Record], caller: Caller, *, now: datetime) -> list[shapes.Conflict]:
    whole = _by_fact(_of_facts(newest, caller).defer("words").select_related("workspace"))
    shown = {one.id: one for one in show(_options(whole.values()), caller, now=now)}
    return [
        shapes.Conflict(
            project=record.project_id,
            workspace=record.workspace.name,
            fact_key=record.fact_key or "",
            newest_at=record.created_at,
            count=len(whole[_fact_of(record)]),
            options=[shown[one.id] for one in whole[_fact_of(record)][:MOST_OPTIONS]],
        )
        for record in newest
    ]


def _options(facts: Iterable[Sequence[Record]]) -> list[Record]:
    return [one for some in facts for one in some[:MOST_OPTIONS]]


def _by_fact(rows: Iterable[Record]) -> dict[Fact, list[Record]]:
    facts: dict[Fact, list[Record]] = defaultdict(list)
    for row in rows:
        facts[_fact_of(row)].append(row)
    return facts


def _fact_of(record: Record) -> Fact:
    return record.workspace_id, record.fact_key
