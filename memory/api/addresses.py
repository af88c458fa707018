"""Parameters in addresses: read as strictly as those in bodies, and described from the same declarations."""

from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin
from uuid import UUID

from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from memory.protocol.parsing import parse
from memory.protocol.shapes import Inputs
from orgs.errors import Invalid, Unknown

Parsed = TypeVar("Parsed", bound=Inputs)


def asked_in(request: Request, inputs: type[Parsed]) -> Parsed:
    """Return the parameters of an address, or raise Invalid naming the one to mend. A list's name is repeated."""
    query = request.query_params
    many = {name for name, field in inputs.model_fields.items() if _is_list(field.annotation)}
    if twice := next((name for name in query if name not in many and len(query.getlist(name)) > 1), None):
        raise Invalid("A parameter is given twice.", field=twice if twice in inputs.model_fields else "…")
    given = {name: query.getlist(name) if name in many else query[name] for name in query}
    return parse(inputs, given, from_text=True)


def id_in(text: str, *, what: str = "record") -> UUID:
    """Return the id, or raise Unknown: what can't be an id is the id of nothing."""
    try:
        return UUID(text)
    except ValueError:
        raise Unknown(f"There is no such {what} here.") from None


def parameters_of(inputs: type[Inputs]) -> list[OpenApiParameter]:
    """Describe the parameters for the OpenAPI document."""
    schema = inputs.model_json_schema()
    required = schema.get("required", [])
    return [
        OpenApiParameter(
            name,
            _plain(described, schema.get("$defs", {})),
            OpenApiParameter.QUERY,
            required=name in required,
            description=described.get("description", ""),
            many=False,
        )
        for name, described in schema.get("properties", {}).items()
    ]


def _plain(described: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    """Return a schema without references and without null: an address can't hold one."""
    told = {key: value for key, value in described.items() if key != "anyOf"}
    for option in described.get("anyOf", []):
        if option.get("type") != "null":
            told |= option
    if reference := told.pop("$ref", None):
        told |= {
            k: v for k, v in definitions[reference.rsplit("/", 1)[-1]].items() if k not in {"description", "title"}
        }
    dropped = {"description", "title"} | ({"default"} if told.get("default") is None else set())
    return {key: value for key, value in told.items() if key not in dropped}


def _is_list(annotation: Any) -> bool:
    if get_origin(annotation) in {Union, UnionType}:
        return any(_is_list(one) for one in get_args(annotation))
    return get_origin(annotation) is list
