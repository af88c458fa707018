"""forget: a record, or all of one source, leaves search and graph; restore brings a record back."""

from datetime import datetime
from uuid import UUID

from memory.doors import changeable_by
from memory.models import Record
from memory.protocol import shapes
from memory.verbs.answering import Told
from orgs.audit import note
from orgs.caller import Caller
from orgs.errors import Invalid
from orgs.names import canonical
from orgs.roles import Permission

_WILDCARDS = frozenset("*%?_. ")


def execute(caller: Caller, inputs: shapes.ForgetInputs, *, now: datetime, redactions: dict[str, int]) -> Told:
    """Forget or restore what the caller named, or answer `failed` and change nothing."""
    named = inputs.memory_id or inputs.id
    if inputs.memory_id and inputs.id and inputs.memory_id != inputs.id:
        raise Invalid("memory_id and id name different records; pass one of them.", field="id")
    if named and inputs.source_id:
        raise Invalid("Pass an id or a source_id, not both.", field="source_id")
    if inputs.action == "restore":
        return _restore(caller, named, now=now)
    if named:
        return _forget_one(caller, named, reason=inputs.reason, now=now)
    return _forget_source(caller, inputs, now=now)


def _forget_one(caller: Caller, id: UUID, *, reason: str | None, now: datetime) -> Told:
    record = changeable_by(caller, Permission.FORGET).filter(id=id, forgotten_at=None).first()
    if record is None:
        return _failed("There is no such record here, or it is forgotten already.", action="forget")
    _mark(record, caller, reason=reason, now=now)
    tombstone = shapes.Tombstone(id=id, forgotten_at=now, forgotten_by=caller.user_id, reason=reason)
    return "forgotten", shapes.Forgotten(ok=True, id=id, tombstone=tombstone)


def _forget_source(caller: Caller, inputs: shapes.ForgetInputs, *, now: datetime) -> Told:
    source_id = inputs.source_id or ""
    if not set(source_id) - _WILDCARDS:
        raise Invalid("source_id must name one source; wildcards are not taken.", field="source_id")
    records = changeable_by(caller, Permission.FORGET).filter(source_id=source_id, forgotten_at=None)
    if inputs.workspace:
        records = records.in_workspace(canonical(inputs.workspace))
    found = list(records)
    for record in found:
        _mark(record, caller, reason=inputs.reason, now=now)
    return "forgotten_source", shapes.ForgottenSource(ok=True, source_id=source_id, count=len(found))


def _restore(caller: Caller, id: UUID | None, *, now: datetime) -> Told:
    if id is None:
        raise Invalid("restore needs memory_id.", field="memory_id")
    record = changeable_by(caller, Permission.FORGET).filter(id=id, forgotten_at__isnull=False).first()
    if record is None:
        return _failed("There is no forgotten record of this id here.", action="restore")
    record.forgotten_at = record.forgotten_by_id = record.forgotten_reason = None
    record.updated_at = now
    record.save(update_fields=["forgotten_at", "forgotten_by", "forgotten_reason", "updated_at"])
    note(caller, verb="restore", object_id=id, now=now)
    return "restored", shapes.Restored(ok=True, id=id, forced=False)


def _mark(record: Record, caller: Caller, *, reason: str | None, now: datetime) -> None:
    record.forgotten_at, record.updated_at = now, now
    record.forgotten_by_id, record.forgotten_reason = caller.user_id, reason
    record.save(update_fields=["forgotten_at", "forgotten_by", "forgotten_reason", "updated_at"])
    note(caller, verb="forget", object_id=record.id, now=now)


def _failed(reason: str, *, action: str) -> Told:
    return "failed", shapes.Failed(ok=False, error="unknown", reason=reason, action=action)
