"""From what a caller sent to typed inputs, or a refusal that names the field and says what to do."""

import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any, TypeVar

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from memory.protocol.shapes import Inputs
from memory.protocol.verbs import Verb
from orgs.errors import Invalid

Parsed = TypeVar("Parsed", bound=Inputs)
_PLAIN_NAME = re.compile(r"[A-Za-z][A-Za-z_-]{0,39}")


def parse(inputs: type[Parsed], payload: object, *, from_text: bool = False) -> Parsed:
    """Return the typed inputs, or raise Invalid for the first fault; what was sent is never repeated.

    `from_text`: numbers and yes or no come as text, as in an address.
    """
    if not isinstance(payload, Mapping):
        raise Invalid("The body must be a JSON object of parameters.", field="body")
    given = {name: value for name, value in payload.items() if value is not None}
    _refuse_undeclared(inputs, given)
    try:
        return inputs.model_validate(given, strict=False if from_text else None)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        raise Invalid(_sentence(first), field=_path(first)) from None


def require_any(verb: Verb, inputs: Inputs) -> None:
    """Raise Invalid unless one of the groups of parameters that the verb needs was given."""
    given = {name for name in inputs.model_fields_set if getattr(inputs, name) not in (None, [], {})}
    if any(given.issuperset(group) for group in verb.needs):
        return
    groups = " or ".join(" and ".join(group) for group in verb.needs)
    raise Invalid(f"{verb.name} needs {groups}.", field=verb.needs[0][0])


def _refuse_undeclared(inputs: type[Inputs], given: Mapping[str, Any]) -> None:
    for name in given:
        if name in inputs.model_fields:
            continue
        nearest = get_close_matches(str(name)[:100], inputs.model_fields, n=1)
        hint = f"Did you mean {nearest[0]}?" if nearest else "See the OpenAPI document for the declared parameters."
        # The name is the caller's own text and may hold anything: only a plain one is said back.
        shown = name if isinstance(name, str) and _PLAIN_NAME.fullmatch(name) else "…"
        raise Invalid(
            f"There is no parameter {shown}. {hint}", field=shown, data={"nearest": nearest[0] if nearest else None}
        )


def _path(error: ErrorDetails) -> str:
    """Return the declared field and list positions; keys of free objects are the caller's text and left out."""
    first, *rest = error["loc"] or ("body",)
    return ".".join([str(first), *(str(part) for part in rest if isinstance(part, int))])


def _sentence(error: ErrorDetails) -> str:
    if error["type"] == "missing":
        return f"The parameter {_path(error)} is missing."
    message = error["msg"].removeprefix("Value error, ")
    return f"{_path(error)}: {message[:1].lower()}{message[1:]}."
