"""What changes something, whichever door it came through: redacted, in the organization's transaction, and once."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar

from memory import replays
from memory.protocol.parsing import parse
from memory.protocol.shapes import Answer, Inputs
from memory.redaction import redact_tree
from orgs.caller import Caller
from orgs.tenancy import acting_for

Parsed = TypeVar("Parsed", bound=Inputs)
Told = tuple[str, Answer | None]
"""The name of a declared form, and the answer in that form; None is JSON null."""
Redactions = dict[str, int]


@dataclass(frozen=True, slots=True)
class Terms(Generic[Parsed]):
    """What is called, what it takes, and which shape an answer has in each form."""

    name: str
    inputs: type[Parsed]
    shape_of: Callable[[str], type[Answer] | None]


@dataclass(frozen=True, slots=True)
class Effect:
    """What an act answered, in which form; and whether it was said before under the same idempotency key."""

    form: str
    answer: Answer | None
    replayed: bool = False


def effect(
    caller: Caller,
    terms: Terms[Parsed],
    payload: Any,
    *,
    act: Callable[[Parsed, Redactions], Told],
    now: datetime,
    idempotency_key: str | None,
    about: Mapping[str, str] | None = None,
) -> Effect:
    """Do an act once per idempotency key, on what was sent without its secrets; a Refusal leaves nothing behind.

    `about`: what an equal call must have in common besides what was sent, as the id in its address.
    """
    clean, redactions = redact_tree(payload)
    inputs = parse(terms.inputs, clean)
    with acting_for(caller.organization_id):
        if idempotency_key is None:
            return Effect(*act(inputs, dict(redactions)))
        (form, told), replayed = replays.once(
            caller,
            replays.checked_key(idempotency_key),
            verb=terms.name,
            payload=[clean, dict(about)] if about else clean,
            now=now,
            act=lambda: _as_json(act(inputs, dict(redactions))),
        )
    shape = terms.shape_of(form)
    if shape is None:
        raise LookupError(f"{terms.name}.{form} holds no answer to replay")
    return Effect(form, shape.model_validate(told), replayed)


def _as_json(told: Told) -> replays.Told:
    form, answer = told
    return form, json.loads(answer.as_json()) if answer else {}
