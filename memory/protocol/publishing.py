"""The protocol as it is published at GET /v1/protocol. Pure."""

from functools import cache
from typing import Any

from memory.protocol.conformance import fingerprint
from memory.protocol.deriving import DERIVED_FROM, EXTRA_KEYS, OTHERWISE
from memory.protocol.operations import OPERATIONS
from memory.protocol.verbs import FROZEN, VERBS, VERSION, Shape, Verb


@cache
def published() -> dict[str, Any]:
    """Return the whole declaration as plain data."""
    return {
        "version": VERSION,
        "frozen": FROZEN,
        "fingerprint": fingerprint(),
        "verbs": {name: _verb(verb) for name, verb in VERBS.items()},
        "operations": dict(OPERATIONS),
        "op_derived_from": [list(pair) for pair in DERIVED_FROM] + [["", OTHERWISE]],
        "derive_extra_keys": list(EXTRA_KEYS),
    }


def _verb(verb: Verb) -> dict[str, Any]:
    told = {
        "status": verb.status.value,
        "summary": verb.summary,
        "mutates": verb.mutates,
        "needs_any_of": [list(group) for group in verb.needs],
        "inputs": verb.inputs.model_json_schema() if verb.inputs else None,
        "shapes": {form: _shape(shape) for form, shape in verb.shapes.items()},
    }
    return told | ({"map_to": verb.map_to} if verb.map_to else {})


def _shape(shape: Shape) -> dict[str, Any]:
    if shape.answer is None:
        return {"when": shape.when, "returns_null": True, "required": [], "optional": []}
    fields = shape.answer.model_fields
    return {
        "when": shape.when,
        "http_status": shape.http_status,
        "required": [name for name, field in fields.items() if field.is_required()],
        "optional": [name for name, field in fields.items() if not field.is_required()],
    }
