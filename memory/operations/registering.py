"""What a team registers for `route` to suggest: capabilities of a project."""

from datetime import datetime

from memory.effects import Effect, Redactions, Terms, Told, effect
from memory.models import Capability
from memory.places import managing, placed
from memory.protocol import shapes
from orgs.audit import note
from orgs.caller import Caller
from orgs.errors import TooMany, Unknown
from orgs.roles import Permission
from orgs.tenancy import acting_for

AT_MOST = 1_000  # in a project; `route` looks at all of them
_REGISTER = Terms("capability_register", shapes.CapabilityInputs, lambda _: shapes.Capability)
_WITHDRAW = Terms("capability_withdraw", shapes.Inputs, lambda _: shapes.Withdrawn)


def registered(caller: Caller, *, project: str | None) -> shapes.CapabilitiesAnswer:
    """List a project's capabilities for those who may see into it, as `route` suggests them."""
    with acting_for(caller.organization_id):
        caller = placed(caller, project)
        caller.require(Permission.VIEW)
        rows = Capability.objects.filter(organization_id=caller.organization_id, project_id=caller.writes_in)
        return shapes.CapabilitiesAnswer(results=[_shape(row) for row in rows.order_by("name")[:AT_MOST]])


def register(
    caller: Caller, payload: object, *, project: str | None, now: datetime, idempotency_key: str | None = None
) -> Effect:
    """Let `route` suggest something that the team can do; what had its name is replaced."""

    def act(inputs: shapes.CapabilityInputs, _: Redactions) -> Told:
        return _register(managing(caller, project), inputs, now=now)

    return effect(
        *(caller, _REGISTER, payload),
        permit=lambda _: managing(caller, project),
        act=act,
        now=now,
        idempotency_key=idempotency_key,
        about={"project": project or ""},
    )


def withdraw(
    caller: Caller, name: str, *, project: str | None, now: datetime, idempotency_key: str | None = None
) -> Effect:
    """Let `route` suggest it no more, or raise Unknown."""

    def act(_: shapes.Inputs, __: Redactions) -> Told:
        return "withdrawn", _withdraw(managing(caller, project), name, now=now)

    return effect(
        *(caller, _WITHDRAW, {}),
        permit=lambda _: managing(caller, project),
        act=act,
        now=now,
        idempotency_key=idempotency_key,
        about={"project": project or "", "name": name},
    )


def _register(caller: Caller, inputs: shapes.CapabilityInputs, *, now: datetime) -> Told:
    mine = Capability.objects.filter(organization_id=caller.organization_id, project_id=caller.writes_in)
    if mine.count() >= AT_MOST and not mine.filter(name=inputs.name).exists():
        raise TooMany(f"A project registers {AT_MOST} capabilities at most.")
    row, made = Capability.objects.update_or_create(
        organization_id=caller.organization_id,
        project_id=caller.writes_in,
        name=inputs.name,
        defaults={"description": inputs.description, "when": inputs.when},
        create_defaults={
            "description": inputs.description,
            "when": inputs.when,
            "created_at": now,
            "created_by_id": caller.user_id,
        },
    )
    form = "registered" if made else "replaced"
    note(
        caller,
        verb=f"capability.{form}",
        object_type="capability",
        object_id=row.id,
        now=now,
        details={"name": row.name},
    )
    return form, _shape(row)


def _withdraw(caller: Caller, name: str, *, now: datetime) -> shapes.Withdrawn:
    mine = Capability.objects.filter(organization_id=caller.organization_id, project_id=caller.writes_in)
    row = mine.select_for_update().filter(name=name).first() if name.isprintable() else None
    if row is None:
        raise Unknown("There is no such capability here.", field="name")
    note(
        caller,
        verb="capability.withdrawn",
        object_type="capability",
        object_id=row.id,
        now=now,
        details={"name": row.name},
    )
    row.delete()
    return shapes.Withdrawn(ok=True, name=row.name)


def _shape(row: Capability) -> shapes.Capability:
    return shapes.Capability(name=row.name, description=row.description, when=row.when, created_at=row.created_at)
