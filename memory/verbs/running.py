"""From a verb's name and a caller's payload to a declared answer."""

import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from memory import replays
from memory.metrics import count_redactions, measured_verb
from memory.protocol.parsing import parse, require_any
from memory.protocol.shapes import Answer, BadNodeId, Inputs
from memory.protocol.verbs import LIVE, NODE_ID_NOT_STR, Shape, Verb, shape_of
from memory.redaction import redact_tree
from memory.verbs import forget, read, remember, route, search, supersede, validate_memory, write
from memory.verbs.answering import Told
from orgs.caller import Caller
from orgs.errors import Unknown
from orgs.tenancy import acting_for

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
    return outcome


def _run(
    verb: Verb, declared: type[Inputs], caller: Caller, payload: Any, now: datetime, idempotency_key: str | None
) -> Outcome:
    inputs = parse(declared, payload)
    require_any(verb, inputs)
    caller.require(verb.permission)
    clean = _redacted(declared, inputs, payload)
    if verb.mutates:
        return _write(verb, caller, clean, now=now, idempotency_key=idempotency_key)
    form, answer = READERS[verb.name](caller, clean.inputs, now=now)
    return Outcome(verb, form, answer)


@dataclass(frozen=True, slots=True)
class _Clean:
    """What is left of a call's parameters without its secrets, and how many of each kind there were."""

    parameters: Mapping[str, Any]
    inputs: Any
    redactions: Mapping[str, int]


def _redacted(declared: type[Inputs], inputs: Inputs, payload: Any) -> _Clean:
    """Redact each parameter by itself: its name is ours, and `session=…` tells of no cookie here."""
    parameters, redactions = {}, Counter[str]()
    for name, value in payload.items():
        if value is not None:
            parameters[name], found = redact_tree(value)
            redactions.update(found)
    count_redactions(redactions)
    return _Clean(parameters, parse(declared, parameters) if redactions else inputs, dict(redactions))


def _write(verb: Verb, caller: Caller, clean: _Clean, *, now: datetime, idempotency_key: str | None) -> Outcome:
    key = None if idempotency_key is None else replays.checked_key(idempotency_key)

    def act() -> Told:
        return WRITERS[verb.name](caller, clean.inputs, now=now, redactions=clean.redactions)

    with acting_for(caller.organization_id):
        if key is None:
            return Outcome(verb, *act())
        return _write_once(verb, caller, clean.parameters, now=now, key=key, act=act)


def _write_once(verb: Verb, caller: Caller, sent: Any, *, now: datetime, key: str, act: Callable[[], Told]) -> Outcome:
    def act_as_json() -> replays.Told:
        form, answer = act()
        return form, json.loads(answer.as_json()) if answer else {}

    (form, told), replayed = replays.once(caller, key, verb=verb.name, payload=sent, now=now, act=act_as_json)
    declared = shape_of(verb.name, form).answer
    if declared is None:
        raise LookupError(f"{verb.name}.{form} holds no answer to replay")
    return Outcome(verb, form, declared.model_validate(told), replayed)


def _bad_node_id(verb: Verb, payload: object) -> Outcome | None:
    """Answer a node_id that is no text by itself: it must never pass for an absent record."""
    node_id = payload.get("node_id") if isinstance(payload, Mapping) else None
    if node_id is None or isinstance(node_id, str) or NODE_ID_NOT_STR not in verb.shapes:
        return None
    got = _JSON_TYPES.get(type(node_id), "other")
    return Outcome(verb, NODE_ID_NOT_STR, BadNodeId(ok=False, error="node_id_not_str", got_type=got))


_JSON_TYPES = {int: "number", float: "number", bool: "boolean", list: "array", dict: "object"}
