"""forget: a record, or all of one source, leaves search and graph; restore brings a record back."""

from datetime import datetime
from uuid import UUID

from memory import replays
from memory.doors import changeable_by
from memory.effects import Told
from memory.models import Record
from memory.outbox import announce
from memory.protocol import shapes
from memory.protocol.shapes.answers import FailedFor
from memory.verbs.writing import policy_of
from orgs.audit import note
from orgs.caller import Caller
from orgs.errors import Invalid
from orgs.names import canonical
from orgs.roles import Permission

_WILDCARDS = frozenset("*%?_. ")


def execute(caller: Caller, inputs: shapes.ForgetInputs, *, now: datetime, redactions: dict[str, int]) -> Told:
    """Forget or restore what the caller named, or answer `failed` and change nothing."""
    given = {inputs.node_id, inputs.memory_id, inputs.id} - {None}
    if len(given) > 1:
        raise Invalid("node_id, memory_id and id name different records; pass one of them.", field="id")
    named = next(iter(given), None)
    if named and inputs.source_id:
        raise Invalid("Pass an id or a source_id, not both.", field="source_id")
    if inputs.action == "restore":
        return _restore(caller, named, force=inputs.force, now=now)
    if named:
        return _forget_one(caller, named, inputs, now=now)
    return _forget_source(caller, inputs, now=now)


def _forget_one(caller: Caller, id: UUID, inputs: shapes.ForgetInputs, *, now: datetime) -> Told:
    record = changeable_by(caller, Permission.FORGET).filter(id=id, forgotten_at=None).first()
    if record is None:
        return _failed("unknown", "There is no such record here, or it is forgotten already.", action="forget")
    if record.protected_at and not _overrides(caller, record, inputs):
        return _failed("protected", "It is protected; those who may review pass override.", action="forget")
    bury(record, caller, reason=inputs.reason, now=now)
    tombstone = shapes.Tombstone(id=id, forgotten_at=now, forgotten_by=caller.user_id, reason=inputs.reason)
    return "forgotten", shapes.Forgotten(ok=True, id=id, tombstone=tombstone)


def _forget_source(caller: Caller, inputs: shapes.ForgetInputs, *, now: datetime) -> Told:
    source_id = inputs.source_id or ""
    if not set(source_id) - _WILDCARDS:
        raise Invalid("source_id must name one source; wildcards are not taken.", field="source_id")
    records = changeable_by(caller, Permission.FORGET).filter(source_id=source_id, forgotten_at=None)
    if inputs.workspace:
        records = records.in_workspace(canonical(inputs.workspace))
    found = [record for record in records if not record.protected_at or _overrides(caller, record, inputs)]
    for record in found:
        bury(record, caller, reason=inputs.reason, now=now)
    return "forgotten_source", shapes.ForgottenSource(ok=True, source_id=source_id, count=len(found))


def _restore(caller: Caller, id: UUID | None, *, force: bool, now: datetime) -> Told:
    if id is None:
        raise Invalid("restore needs memory_id.", field="memory_id")
    record = changeable_by(caller, Permission.FORGET).filter(id=id, forgotten_at__isnull=False).first()
    if record is None or not record.content:  # of a tombstone that came in from elsewhere, nothing else is here
        return _failed("unknown", "There is no forgotten record of this id here.", action="restore")
    if policy_of(caller.writing_in(record.project_id)).restore_needs_force and not force:
        return _failed("needs_force", "This project restores only with force.", action="restore")
    record.forgotten_at = record.forgotten_by_id = record.forgotten_reason = None
    record.updated_at = now
    record.save(update_fields=["forgotten_at", "forgotten_by", "forgotten_reason", "updated_at"])
    announce(record, now=now)  # work about a forgotten record was let be
    note(caller, verb="restore", object_id=id, now=now)
    return "restored", shapes.Restored(ok=True, id=id, forced=force)


def bury(record: Record, caller: Caller, *, reason: str | None, now: datetime) -> None:
    """Take a record, locked by the caller, out of search, graph and the answers kept for replay, and note it."""
    record.forgotten_at, record.updated_at = now, now
    record.forgotten_by_id, record.forgotten_reason = caller.user_id, reason
    record.save(update_fields=["forgotten_at", "forgotten_by", "forgotten_reason", "updated_at"])
    replays.withdraw(record.organization_id, [record.id])
    note(caller, verb="forget", object_id=record.id, now=now)


def _overrides(caller: Caller, record: Record, inputs: shapes.ForgetInputs) -> bool:
    return inputs.override and caller.may(Permission.REVIEW, project_id=record.project_id)


def _failed(error: FailedFor, reason: str, *, action: str) -> Told:
    return "failed", shapes.Failed(ok=False, error=error, reason=reason, action=action)
