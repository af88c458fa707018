"""JSON schemas that every client accepts, made from the declared shapes: one plain type each, no references, no unions.

Some clients refuse a tool, or show the model a wrong type, over `anyOf`, `$ref`, a list of types or `format: uuid`.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from memory.protocol.shapes import Answer, Inputs

Schema = dict[str, Any]
_KEPT_OF_INPUTS = ("type", "description", "enum", "minimum", "maximum", "maxItems")
_KEPT_OF_ANSWERS = ("type", "enum")
_SHOWN_DEPTH = 1
"""How far an answer is described: its keys. What a record holds, the OpenAPI document says once for all."""
NOTHING = "result"
"""Where a null answer stands: structured content has to be an object."""


def input_schema(inputs: type[Inputs]) -> Schema:
    """Return what a tool takes. That null means omitted is not said: it is taken all the same."""
    declared = inputs.model_json_schema()
    definitions, required = declared.get("$defs", {}), declared.get("required", [])
    properties = {name: _taken(field, definitions) for name, field in declared.get("properties", {}).items()}
    return {
        "type": "object",
        "properties": properties,
        **({"required": required} if required else {}),
        "additionalProperties": False,
    }


def output_schema(answers: Iterable[type[Answer] | None]) -> Schema:
    """Return what holds for all forms of a tool's answer: every key of any, required what each has.

    A key that may be null, or that has another type in another form, has no type here.
    """
    properties: Schema = {}
    required: set[str] | None = None
    for answer in answers:
        told = _told(answer.model_json_schema(), {}, depth=0) if answer else {"properties": {NOTHING: {}}}
        for name, schema in told["properties"].items():
            properties[name] = schema if properties.get(name, schema) == schema else {}
        named = set(told.get("required", ()))
        required = named if required is None else required & named
    return {"type": "object", "properties": properties, "required": sorted(required or ())}


def _taken(field: Mapping[str, Any], definitions: Mapping[str, Any]) -> Schema:
    options, _ = _options(field, definitions)
    plain = {**options[0], **{name: field[name] for name in ("description", "default") if field.get(name) is not None}}
    kept = {name: plain[name] for name in (*_KEPT_OF_INPUTS, "default") if plain.get(name) not in (None, [], {})}
    if plain.get("format") == "date-time":
        kept["format"] = "date-time"
    if plain["type"] == "array":
        kept["items"] = {"type": _options(plain["items"], definitions)[0][0]["type"]}
    return kept


def _told(schema: Mapping[str, Any], definitions: Mapping[str, Any], *, depth: int) -> Schema:
    definitions = schema.get("$defs", definitions)
    options, nullable = _options(schema, definitions)
    if nullable or len(options) > 1:
        return {}
    kept: Schema = {name: options[0][name] for name in _KEPT_OF_ANSWERS if name in options[0]}
    if "items" in options[0]:
        kept["items"] = _told(options[0]["items"], definitions, depth=depth)
    if "properties" in options[0] and depth < _SHOWN_DEPTH:
        inner = options[0]["properties"].items()
        kept["properties"] = {name: _told(one, definitions, depth=depth + 1) for name, one in inner}
        kept["required"] = options[0].get("required", []) if depth == 0 else []
    return {name: value for name, value in kept.items() if value != []}


def _options(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> tuple[list[Mapping[str, Any]], bool]:
    """Return the types that a value may have, references followed, and whether it may also be null."""
    if "$ref" in schema:
        return _options(definitions[schema["$ref"].rsplit("/", 1)[-1]], definitions)
    found = [_options(one, definitions) for one in schema.get("anyOf", [])]
    if not found:
        return ([], True) if schema.get("type") == "null" else ([schema], False)
    return [option for options, _ in found for option in options], any(nullable for _, nullable in found)
