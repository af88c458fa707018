"""How an operation is done: its permission, its inputs without secrets, its one effect, its one shape of answer."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from memory.effects import Effect, Terms, effect
from memory.protocol.shapes import Answer, Inputs
from orgs.caller import Caller
from orgs.errors import Forbidden
from orgs.roles import Permission

Act = Callable[..., Answer]
"""Of (caller, inputs, *, now): the answer, or a Refusal."""

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
    now: datetime,
    idempotency_key: str | None = None,
    about: Mapping[str, str] | None = None,
) -> Effect:
    """Do the operation for the caller, once per idempotency key, or raise a Refusal; then nothing has changed."""
    return effect(
        *(caller, operation.terms, payload),
        permit=lambda: _permit(operation, caller),
        act=lambda inputs, _: (DONE, act(caller, inputs, now=now)),
        now=now,
        idempotency_key=idempotency_key,
        about=about or {},
    )


def _permit(operation: Operation, caller: Caller) -> None:
    """Refuse who holds the permission nowhere; where it has to be held, the door to what is changed knows."""
    if not any(operation.needs in held for held in caller.projects.values()):
        raise Forbidden(f"The permission “{operation.needs}” is needed for this.", data={"permission": operation.needs})
