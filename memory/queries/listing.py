"""Records through the caller's lens: one by its id, all that pass the filters, the history of one fact."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from memory.filters import narrowed
from memory.models import Record
from memory.models.record import RecordQuerySet
from memory.protocol import shapes
from memory.protocol.vocabulary import Status
from memory.queries.pages import Judge, page
from memory.showing import relations_among, show
from memory.sight import require_sight
from memory.standing import gather, look
from memory.verbs.validate_memory import source_now
from orgs.caller import Caller
from orgs.errors import Unknown
from orgs.roles import Permission
from orgs.tenancy import acting_for


def records(caller: Caller, inputs: shapes.ListInputs, *, now: datetime) -> shapes.RecordList:
    """Return a page of the records that the caller sees and that pass the filters, newest first."""
    require_sight(caller)
    asked = inputs.model_dump_json(exclude={"limit", "cursor"})
    with acting_for(caller.organization_id):
        rows = narrowed(Record.objects.visible_to(caller), caller, inputs)
        found = page(_whole(rows), inputs, bound_to=_bound(caller, asked), judge=_judge(caller, inputs, now=now))
        hashes = source_now(inputs.current_source_hash)
        return shapes.RecordList(results=show(found.rows, caller, now=now, source_now=hashes), meta=found.meta)


def one_record(caller: Caller, id: UUID, *, now: datetime) -> shapes.Record:
    """Return a live record as the caller sees it, or raise Unknown: absent, hidden and forgotten look alike."""
    caller.require(Permission.VIEW)
    with acting_for(caller.organization_id):
        return show([_seen(caller, id)], caller, now=now)[0]


def versions(caller: Caller, id: UUID, inputs: shapes.Page, *, now: datetime) -> shapes.RecordList:
    """Return the live versions of a record's fact that the caller sees, itself and superseded ones included."""
    require_sight(caller)
    with acting_for(caller.organization_id):
        rows = _versions_of(_seen(caller, id), caller)
        found = page(_whole(rows), inputs, bound_to=_bound(caller, f"versions {id}"))
        return shapes.RecordList(results=show(found.rows, caller, now=now), meta=found.meta)


def relations(caller: Caller, id: UUID, inputs: shapes.RelationsInputs) -> shapes.RelationsAnswer:
    """Return a record's links to live records that the caller sees, strongest first."""
    require_sight(caller)
    with acting_for(caller.organization_id):
        _seen(caller, id)
        links = relations_among([id], gather([id], caller), most=inputs.limit + 1)[id]
    return shapes.RelationsAnswer(id=id, results=links[: inputs.limit], truncated=len(links) > inputs.limit)


def _seen(caller: Caller, id: UUID) -> Record:
    record = Record.objects.visible_to(caller).select_related("workspace").filter(id=id).first()
    if record is None:
        raise Unknown("There is no such record here.")
    return record


def _versions_of(record: Record, caller: Caller) -> RecordQuerySet:
    live = Record.objects.visible_to(caller)
    if record.fact_key is None:
        return live.with_ids([record.id])
    return live.filter(project_id=record.project_id, workspace_id=record.workspace_id, fact_key=record.fact_key)


def _whole(rows: RecordQuerySet) -> RecordQuerySet:
    return rows.defer("words").select_related("workspace")


def _bound(caller: Caller, asked: str) -> str:
    return f"{caller.organization_id} {asked}"


def _judge(caller: Caller, inputs: shapes.ListInputs, *, now: datetime) -> Judge | None:
    """Return what keeps the records of the status that is asked for; none if any will do."""
    if not inputs.status and not inputs.exclude_stale:
        return None

    def keep(rows: Sequence[Record]) -> list[Record]:
        hashes = source_now(inputs.current_source_hash)
        seen = look([row.id for row in rows], caller, now=now, source_now=hashes)
        statuses = {id: one.standing.status for id, one in seen.items()}
        right = [row for row in rows if inputs.status in (None, statuses.get(row.id))]
        return [row for row in right if not (inputs.exclude_stale and statuses.get(row.id) is Status.STALE)]

    return keep
