"""reinstate: a superseded record counts again."""

from datetime import datetime
from uuid import UUID

from memory.doors import changeable_by
from memory.effects import Effect
from memory.models import Record
from memory.operations.acting import Operation, act_once, permit_on
from memory.protocol.shapes import Inputs, Nothing, Reinstated
from memory.successions import alone, reinstate
from orgs.caller import Caller
from orgs.errors import Clash, Unknown
from orgs.roles import Permission

REINSTATE = Operation(name="reinstate", needs=Permission.MANAGE, inputs=Nothing, answer=Reinstated)


def reinstated(caller: Caller, id: UUID, *, now: datetime, idempotency_key: str | None = None) -> Effect:
    """Undo whatever put the record out of date, as far as the caller sees it; both records stay.

    Raises Unknown, or Clash for a record that, to the caller, nothing took the place of.
    """

    def act(caller: Caller, _: Inputs, *, now: datetime) -> Reinstated:
        # First the project, then the record, as everybody does who changes successions: else two wait for each other.
        alone(Record.objects.visible_to(caller).filter(id=id).values_list("project_id", flat=True).first())
        record = changeable_by(caller, Permission.MANAGE).filter(id=id, forgotten_at=None).first()
        if record is None:
            raise Unknown("There is no such record here.")
        replaced_by = reinstate(caller, record, now=now)
        if not replaced_by:
            raise Clash("No record has taken its place.", data={"error": "not_superseded"})
        return Reinstated(ok=True, id=id, no_longer_by=replaced_by)

    return act_once(
        *(REINSTATE, caller, {}),
        act=act,
        permit=permit_on(REINSTATE, id),
        now=now,
        idempotency_key=idempotency_key,
        about={"id": str(id)},
    )
