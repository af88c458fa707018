"""What every call that changes something goes through: its secrets taken out, one transaction, one effect."""

import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from memory import replays
from memory.metrics import count_redactions
from memory.protocol.parsing import parse
from memory.protocol.shapes import Answer, Inputs
from memory.redaction import redact_tree
from orgs.caller import Caller
from orgs.tenancy import together

Parsed = TypeVar("Parsed", bound=Inputs)
Told = tuple[str, Answer | None]
"""The name of a declared form, and the answer in that form; None is JSON null."""
Redactions = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Terms(Generic[Parsed]):
    """What is called, what it takes, and which shape an answer has in each form."""

    name: str
    inputs: type[Parsed]
    shape_of: Callable[[str], type[Answer] | None]


@dataclass(frozen=True, slots=True)
class Clean(Generic[Parsed]):
    """What is left of a call's parameters without its secrets, and how many of each kind there were."""

    parameters: Mapping[str, Any]
    inputs: Parsed
    redactions: Redactions


@dataclass(frozen=True, slots=True)
class Effect:
    """What an act answered, in which form; and whether it was said before under the same idempotency key."""

    form: str
    answer: Answer | None
    replayed: bool = False


def redacted(declared: type[Parsed], inputs: Parsed, payload: Any) -> Clean[Parsed]:
    """Redact each parameter by itself: its name is ours, and `session=…` tells of no cookie here."""
    parameters, redactions = {}, Counter[str]()
    for name, value in payload.items():
        if value is not None:
            parameters[name], found = redact_tree(value)
            redactions.update(found)
    count_redactions(redactions)
    return Clean(parameters, parse(declared, parameters) if redactions else inputs, dict(redactions))


def once(
    caller: Caller,
    terms: Terms[Parsed],
    sent: object,
    *,
    act: Callable[[], Told],
    now: datetime,
    idempotency_key: str | None,
) -> Effect:
    """Do the act in the organization's transaction, or say again what it answered under this key. `sent` is clean."""
    if idempotency_key is None:
        return Effect(*together(caller.organization_id, act))
    key = replays.checked_key(idempotency_key)
    (form, told), replayed = together(
        caller.organization_id,
        lambda: replays.once(caller, key, verb=terms.name, payload=sent, now=now, act=lambda: _as_json(act())),
    )
    shape = terms.shape_of(form)
    if shape is None:
        raise LookupError(f"{terms.name}.{form} holds no answer to replay")
    return Effect(form, shape.model_validate(told), replayed)


def effect(
    caller: Caller,
    terms: Terms[Parsed],
    payload: object,
    *,
    act: Callable[[Parsed, Redactions], Told],
    now: datetime,
    idempotency_key: str | None,
    permit: Callable[[Parsed], object],
    about: Mapping[str, str] = MappingProxyType({}),
) -> Effect:
    """Do what an operation beside the verbs says, or raise a Refusal; then nothing is stored.

    `permit` refuses who may not do it there, before an answer of an earlier call is said again. `about`: what an equal
    call has in common besides what was sent, as the id in its address.
    """
    clean = redacted(terms.inputs, parse(terms.inputs, payload), payload)

    def permitted() -> Effect:
        permit(clean.inputs)
        return once(
            caller,
            terms,
            [clean.parameters, dict(about)],
            act=lambda: act(clean.inputs, clean.redactions),
            now=now,
            idempotency_key=idempotency_key,
        )

    return together(caller.organization_id, permitted)


def _as_json(told: Told) -> replays.Told:
    form, answer = told
    return form, json.loads(answer.as_json()) if answer else {}
