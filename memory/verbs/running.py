"""From a verb's name and a caller's payload to a declared answer."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from memory import replays
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

    Everything that a mutating verb was sent is redacted here, before anything else sees it.
    """
    verb = LIVE.get(name)
    if verb is None or verb.inputs is None:
        raise Unknown(f"There is no live verb of this name; there are: {', '.join(LIVE)}.", field="op")
    if bad := _bad_node_id(verb, payload):
        return bad
    inputs = parse(verb.inputs, payload)
    require_any(verb, inputs)
    caller.require(verb.permission)
    if not verb.mutates:
        form, answer = READERS[name](caller, inputs, now=now)
        return Outcome(verb, form, answer)
    return _write(verb, caller, payload, now=now, idempotency_key=idempotency_key)


def _write(verb: Verb, caller: Caller, payload: Any, *, now: datetime, idempotency_key: str | None) -> Outcome:
    clean, redactions = redact_tree(payload)
    inputs = parse(_inputs_of(verb), clean)

    def act() -> Told:
        return WRITERS[verb.name](caller, inputs, now=now, redactions=dict(redactions))

    with acting_for(caller.organization_id):
        if idempotency_key is None:
            return Outcome(verb, *act())
        return _write_once(verb, caller, clean, now=now, key=replays.checked_key(idempotency_key), act=act)


def _write_once(verb: Verb, caller: Caller, clean: Any, *, now: datetime, key: str, act: Callable[[], Told]) -> Outcome:
    def act_as_json() -> replays.Told:
        form, answer = act()
        return form, json.loads(answer.as_json()) if answer else {}

    (form, told), replayed = replays.once(caller, key, verb=verb.name, payload=clean, now=now, act=act_as_json)
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


def _inputs_of(verb: Verb) -> type[Inputs]:
    if verb.inputs is None:
        raise LookupError(f"{verb.name} is declared without inputs")
    return verb.inputs
