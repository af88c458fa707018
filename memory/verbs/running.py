"""From a verb's name and a caller's payload to a declared answer."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings

from memory.effects import Clean, Terms, Told, once, redacted
from memory.metrics import measured_verb
from memory.protocol.parsing import parse, require_any
from memory.protocol.shapes import Answer, BadNodeId, Inputs
from memory.protocol.verbs import LIVE, NODE_ID_NOT_STR, Shape, Verb, shape_of
from memory.verbs import forget, read, remember, route, search, supersede, validate_memory, write
from orgs.caller import Caller
from orgs.errors import Unknown

Executor = Callable[..., Told]

READERS: Mapping[str, Executor] = {
    "route": route.execute,
    "read": read.execute,
    "search": search.execute,
    "validate_memory": validate_memory.execute,
}
WRITERS: Mapping[str, Executor] = {
    "write": write.execute,
    "supersede": supersede.execute,
    "forget": forget.execute,
    "remember": remember.execute,
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """A verb's answer, and which of its declared shapes it has."""

    verb: Verb
    form: str
    answer: Answer | None
    replayed: bool = False

    @property
    def shape(self) -> Shape:
        """Return the declared shape of the answer."""
        return shape_of(self.verb.name, self.form)


def run(name: str, caller: Caller, payload: object, *, now: datetime, idempotency_key: str | None = None) -> Outcome:
    """Do what a live verb says for the caller, or raise a Refusal; then nothing is stored.

    Everything that was sent is redacted here, before anything else sees it: what is written is stored clean, and
    what is asked for is looked up as it was stored, and goes to no model as it came.
    """
    verb = LIVE.get(name)
    if verb is None or verb.inputs is None:
        raise Unknown(f"There is no live verb of this name; there are: {', '.join(LIVE)}.", field="op")
    with measured_verb(name) as ending:
        outcome = _bad_node_id(verb, payload) or _run(verb, verb.inputs, caller, payload, now, idempotency_key)
        ending.outcome = "replayed" if outcome.replayed else outcome.form
    if settings.CHECK_ANSWERS:
        require_declared(outcome)
    return outcome


def require_declared(outcome: Outcome) -> None:
    """Raise KeyError for an undeclared form, and ValueError for an answer that is not as its form declares."""
    declared = outcome.shape.answer
    if (declared is None) is not (outcome.answer is None):
        raise ValueError(f"{outcome.verb.name}.{outcome.form}: null and no null are different answers")
    if declared and outcome.answer:
        declared.model_validate_json(outcome.answer.as_json())


def _run(
    verb: Verb, declared: type[Inputs], caller: Caller, payload: Any, now: datetime, idempotency_key: str | None
) -> Outcome:
    inputs = parse(declared, payload)
    require_any(verb, inputs)
    caller.require(verb.permission)
    clean = redacted(declared, inputs, payload)
    if verb.mutates:
        return _write(verb, caller, clean, now=now, idempotency_key=idempotency_key)
    form, answer = READERS[verb.name](caller, clean.inputs, now=now)
    return Outcome(verb, form, answer)


def _write(verb: Verb, caller: Caller, clean: Clean[Inputs], *, now: datetime, idempotency_key: str | None) -> Outcome:
    done = once(
        caller,
        Terms(verb.name, type(clean.inputs), lambda form: shape_of(verb.name, form).answer),
        clean.parameters,
        act=lambda: WRITERS[verb.name](caller, clean.inputs, now=now, redactions=clean.redactions),
        now=now,
        idempotency_key=idempotency_key,
    )
    return Outcome(verb, done.form, done.answer, done.replayed)


def _bad_node_id(verb: Verb, payload: object) -> Outcome | None:
    """Answer a node_id that is no text by itself: it must never pass for an absent record."""
    node_id = payload.get("node_id") if isinstance(payload, Mapping) else None
    if node_id is None or isinstance(node_id, str) or NODE_ID_NOT_STR not in verb.shapes:
        return None
    got = _JSON_TYPES.get(type(node_id), "other")
    return Outcome(verb, NODE_ID_NOT_STR, BadNodeId(ok=False, error="node_id_not_str", got_type=got))


_JSON_TYPES = {int: "number", float: "number", bool: "boolean", list: "array", dict: "object"}
