"""REFERENCE.md, made from the protocol: `python -m memory.protocol.reference > memory/protocol/REFERENCE.md`."""

import types
from collections.abc import Iterator
from typing import Annotated, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from memory.protocol.shapes import Answer
from memory.protocol.verbs import FROZEN, VERBS, VERSION, Verb
from memory.protocol.vocabulary import VerbStatus


def reference() -> str:
    """Return the page: every verb with what goes in and what comes out."""
    state = "frozen" if FROZEN else "not frozen yet: shapes may still change"
    head = [
        "# The verbs",
        "",
        f"Made from the declared protocol; don't edit. Version {VERSION}, {state}.",
        "An explicit `null` means that a parameter was omitted; an undeclared one is refused.",
        "",
        "| verb | status | changes something | needs any of | answers |",
        "| --- | --- | --- | --- | --- |",
    ]
    rows = [_row(verb) for verb in VERBS.values()]
    return "\n".join([*head, *rows, *(line for verb in VERBS.values() for line in _section(verb))]) + "\n"


def _row(verb: Verb) -> str:
    needs = " or ".join(" and ".join(f"`{name}`" for name in group) for group in verb.needs)
    forms = ", ".join(f"`{form}`" for form in verb.shapes) or "—"
    return f"| `{verb.name}` | {verb.status} | {'yes' if verb.mutates else 'no'} | {needs} | {forms} |"


def _section(verb: Verb) -> Iterator[str]:
    yield from ("", f"## {verb.name}", "", verb.summary)
    if verb.status is VerbStatus.RESERVED:
        yield from ("", f"Reserved. Today: {verb.map_to}.")
    if verb.inputs:
        yield from ("", "| parameter | type | default | |", "| --- | --- | --- | --- |")
        yield from (_parameter(name, field) for name, field in verb.inputs.model_fields.items())
    for form, shape in verb.shapes.items():
        yield from ("", f"**{form}** ({shape.when}; HTTP {shape.http_status})")
        yield from ("", _keys(shape.answer) if shape.answer else "`null`")


def _parameter(name: str, field: FieldInfo) -> str:
    default = "required" if field.is_required() else _default(field)
    return f"| `{name}` | {_type(field.annotation)} | {default} | {field.description or ''} |"


def _default(field: FieldInfo) -> str:
    value = field.get_default(call_default_factory=True, validated_data={})
    return "—" if value is None else f"`{value}`"


def _keys(answer: type[Answer]) -> str:
    required = [f"`{name}`" for name, field in answer.model_fields.items() if field.is_required()]
    optional = [f"`{name}`" for name, field in answer.model_fields.items() if not field.is_required()]
    return "Required: " + ", ".join(required) + ("; optional: " + ", ".join(optional) if optional else "") + "."


def _type(annotation: object) -> str:
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _type(arguments[0])
    if origin is Literal:
        return " or ".join(f"`{value}`" for value in arguments)
    if origin in {Union, types.UnionType}:
        return " or ".join(_type(one) for one in arguments if one is not type(None))
    if origin in {list, dict}:
        return ("list of " if origin is list else "map to ") + _type(arguments[-1])
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation.__name__
    return _WORDS.get(getattr(annotation, "__name__", ""), getattr(annotation, "__name__", "any"))


_WORDS = {
    "str": "text",
    "float": "number",
    "int": "whole number",
    "bool": "yes or no",
    "datetime": "time",
    "UUID": "id",
}
_WORDS |= {"Any": "any", "Visibility": "visibility", "Status": "status"}

if __name__ == "__main__":
    print(reference(), end="")  # noqa: T201 — a command
