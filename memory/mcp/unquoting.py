"""Arguments that clients put in quotes: lists, numbers and booleans sent as text are read where that is unambiguous."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any
from uuid import UUID

from pydantic_core import from_json

from memory.protocol.shapes import Inputs

_KINDS: Mapping[str, tuple[type, ...]] = {
    "array": (list,),
    "object": (dict,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
}
_NUMBER = re.compile(r"-?\d{1,30}(\.\d{1,30})?", re.ASCII)


def unquoted(inputs: type[Inputs], arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments as they were meant. What can't be read stays as it is, and is refused by name later."""
    properties = _properties(inputs)
    read = {
        name: _read(value, properties[name]) if isinstance(value, str) and name in properties else value
        for name, value in arguments.items()
    }
    return {name: value for name, value in read.items() if value is not None}


@cache
def _properties(inputs: type[Inputs]) -> Mapping[str, Any]:
    properties: Mapping[str, Any] = inputs.model_json_schema().get("properties", {})
    return properties


def _read(text: str, field: Mapping[str, Any]) -> Any:
    """Return the value that the text stands for, the text itself, or nothing for an empty one that can't be text."""
    options = [one for one in field.get("anyOf", [field]) if one.get("type") != "null"]
    kinds = {str(one.get("type", "string")) for one in options}
    stripped = text.strip()
    if kinds == {"string"}:
        return text
    if not stripped:
        return text if "string" in kinds else None
    value = _value(stripped)
    for kind in kinds - {"string"}:
        if isinstance(value, _KINDS[kind]) and (kind == "boolean" or not isinstance(value, bool)):
            return value
    if "array" in kinds and _is_id(stripped) and options[0].get("items", {}).get("format") == "uuid":
        return [stripped]
    return text


def _value(text: str) -> Any:
    if text.lower() in {"true", "false"}:
        return text.lower() == "true"
    if not text.startswith(("[", "{")) and not _NUMBER.fullmatch(text):
        return None
    try:
        return from_json(text, allow_inf_nan=False)
    except ValueError:
        return None


def _is_id(text: str) -> bool:
    try:
        return len(text) == 36 and bool(UUID(text))
    except ValueError:
        return False
