"""protect and unprotect: a protected record is forgotten only by override."""

from datetime import datetime
from uuid import UUID

from memory.doors import changeable_by
from memory.effects import Effect
from memory.operations.acting import Operation, act_once, permit_on
from memory.protocol.shapes import Inputs, Nothing, Protection
from orgs.audit import note
from orgs.caller import Caller
from orgs.errors import Unknown
from orgs.roles import Permission

PROTECT = Operation(name="protect", needs=Permission.REVIEW, inputs=Nothing, answer=Protection)
UNPROTECT = Operation(name="unprotect", needs=Permission.REVIEW, inputs=Nothing, answer=Protection)


def protect(caller: Caller, id: UUID, *, now: datetime, idempotency_key: str | None = None) -> Effect:
    """Protect a live record; one that is protected already stays as it is. Raises Unknown."""
    return _set(PROTECT, caller, id, now=now, idempotency_key=idempotency_key)


def unprotect(caller: Caller, id: UUID, *, now: datetime, idempotency_key: str | None = None) -> Effect:
    """Take a live record's protection away, if it has one. Raises Unknown."""
    return _set(UNPROTECT, caller, id, now=now, idempotency_key=idempotency_key)


def _set(operation: Operation, caller: Caller, id: UUID, *, now: datetime, idempotency_key: str | None) -> Effect:
    def act(caller: Caller, _: Inputs, *, now: datetime) -> Protection:
        record = changeable_by(caller, operation.needs).filter(id=id, forgotten_at=None).first()
        if record is None:
            raise Unknown("There is no such record here.")
        if (record.protected_at is None) == (operation is PROTECT):
            record.protected_at = now if operation is PROTECT else None
            record.save(update_fields=["protected_at"])
            note(caller, verb=operation.name, object_id=id, now=now)
        return Protection(ok=True, id=id, protected_at=record.protected_at)

    return act_once(
        *(operation, caller, {}),
        act=act,
        permit=permit_on(operation, id),
        now=now,
        idempotency_key=idempotency_key,
        about={"id": str(id)},
    )
