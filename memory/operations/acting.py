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
    """A change with one form of answer. `anywhere`: on whichever project of the caller's its permission is held."""

    name: str
    needs: Permission
    inputs: type[Inputs]
    answer: type[Answer]
    anywhere: bool = False


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
    _require(operation, caller)
    return effect(
        *(caller, Terms(operation.name, operation.inputs, lambda _: operation.answer), payload),
        act=lambda inputs, _: (DONE, act(caller, inputs, now=now)),
        now=now,
        idempotency_key=idempotency_key,
        about=about or {},
    )


def _require(operation: Operation, caller: Caller) -> None:
    if not operation.anywhere:
        caller.require(operation.needs)
    elif not any(operation.needs in held for held in caller.projects.values()):
        raise Forbidden(f"The permission “{operation.needs}” is needed for this.", data={"permission": operation.needs})
