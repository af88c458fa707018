"""How an operation is done: its permission, its inputs without secrets, its one effect, its one shape of answer."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from memory.effects import Effect, Terms, effect
from memory.models import Record
from memory.protocol.shapes import Answer, Inputs
from orgs.caller import Caller
from orgs.errors import Forbidden, Unknown
from orgs.roles import Permission

Act = Callable[..., Answer]
"""Of (caller, inputs, *, now): the answer, or a Refusal."""

Permit = Callable[[Caller, Any], object]
"""Of (caller, inputs): anything, or a Refusal."""

DONE = "done"


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """A change with one form of answer, which needs a permission on the project of what is changed."""

    name: str
    needs: Permission
    inputs: type[Inputs]
    answer: type[Answer]

    @property
    def terms(self) -> Terms[Any]:
        """Return what is called, what it takes and what it answers."""
        return Terms(self.name, self.inputs, lambda _: self.answer)


def act_once(
    operation: Operation,
    caller: Caller,
    payload: Any,
    *,
    act: Act,
    permit: Permit,
    now: datetime,
    idempotency_key: str | None = None,
    about: Mapping[str, str] | None = None,
) -> Effect:
    """Do the operation for the caller, once per idempotency key, or raise a Refusal; then nothing has changed.

    `permit` refuses who may not do it to what is named, also before an answer is said again.
    """
    return effect(
        *(caller, operation.terms, payload),
        permit=lambda inputs: permit(caller, inputs),
        act=lambda inputs, _: (DONE, act(caller, inputs, now=now)),
        now=now,
        idempotency_key=idempotency_key,
        about=about or {},
    )


def permit_on(operation: Operation, id: UUID) -> Permit:
    """Let pass who holds the permission in the project of a record that it sees, forgotten or not."""

    def permit(caller: Caller, _: Inputs) -> None:
        projects = [project for project, held in caller.projects.items() if operation.needs in held]
        if not projects:
            needed = {"permission": operation.needs}
            raise Forbidden(f"The permission “{operation.needs}” is needed for this.", data=needed)
        if not Record.objects.known_to(caller).filter(id=id, project_id__in=projects).exists():
            raise Unknown("There is no such record here.")

    return permit
