"""validate_memory: which records may be out of date or contradicted, given what their source is now."""

from collections.abc import Mapping
from datetime import datetime

from memory.effects import Told
from memory.models import Record
from memory.models.record import RecordQuerySet
from memory.protocol import shapes
from memory.protocol.vocabulary import Status
from memory.showing import reasons
from memory.sources import digest_of
from memory.standing import look
from memory.statuses import SourceNow
from orgs.caller import Caller
from orgs.names import canonical
from orgs.tenancy import acting_for

MOST = 1_000


def execute(caller: Caller, inputs: shapes.ValidateInputs, *, now: datetime) -> Told:
    """Check the records that match, newest first; nothing is changed, not even a time."""
    with acting_for(caller.organization_id):
        found = list(_matching(caller, inputs).order_by("-created_at", "-id")[: MOST + 1])
        seen = look([r.id for r in found[:MOST]], caller, now=now, source_now=source_now(inputs.current_source_hash))
    records = [
        shapes.CheckedRecord(
            id=record.id,
            source_id=record.source_id,
            fact_key=record.fact_key,
            status=seen[record.id].standing.status,
            reasons=reasons(seen[record.id].standing.grounds),
        )
        for record in found[:MOST]
    ]
    return "checked", _answer(inputs, records, truncated=len(found) > MOST)


def source_now(hashes: str | Mapping[str, str] | None) -> SourceNow:
    """Return the caller's word on the sources, as digests."""
    if isinstance(hashes, Mapping):
        return SourceNow(by_source={source: digest_of(hash) for source, hash in hashes.items()})
    return SourceNow(digest_of(hashes))


def _matching(caller: Caller, inputs: shapes.ValidateInputs) -> RecordQuerySet:
    records = Record.objects.visible_to(caller).only("id", "source_id", "fact_key")
    if inputs.source_id:
        records = records.filter(source_id=inputs.source_id)
    if isinstance(inputs.current_source_hash, Mapping):
        records = records.filter(source_id__in=inputs.current_source_hash)
    if inputs.workspace:
        records = records.in_workspace(canonical(inputs.workspace))
    if inputs.scope:
        records = records.filter(scope=inputs.scope)
    if inputs.fact_key:
        records = records.filter(fact_key=canonical(inputs.fact_key))
    return records.with_ids(inputs.ids) if inputs.ids else records


def _answer(
    inputs: shapes.ValidateInputs, records: list[shapes.CheckedRecord], *, truncated: bool
) -> shapes.ValidateAnswer:
    ids = {status: [record.id for record in records if record.status is status] for status in Status}
    return shapes.ValidateAnswer(
        checked=len(records),
        source_id=inputs.source_id,
        workspace=canonical(inputs.workspace) if inputs.workspace else None,
        current_source_hash=inputs.current_source_hash,
        stale_count=len(ids[Status.STALE]),
        stale_ids=ids[Status.STALE],
        conflict_count=len(ids[Status.CONFLICT]),
        conflict_ids=ids[Status.CONFLICT],
        records=records,
        truncated=truncated,
    )
