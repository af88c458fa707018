"""Who is asking, and what is said in the address, from a request."""

from typing import TypeVar

from rest_framework.request import Request

from memory.protocol.parsing import parse
from memory.protocol.shapes import Inputs
from orgs.caller import Caller
from orgs.errors import Invalid, Unauthenticated

Parsed = TypeVar("Parsed", bound=Inputs)

CALLER = "palimpsest.caller"  # where a request keeps its caller for the log
CALLED = "palimpsest.called"  # and where it tells what was called, if its address does not


def caller_of(request: Request) -> Caller:
    """Return the caller that authentication found, or raise Unauthenticated."""
    if not isinstance(request.auth, Caller):
        raise Unauthenticated
    request.META[CALLER] = request.auth
    return request.auth


def said_in_address(request: Request, inputs: type[Parsed]) -> Parsed:
    """Return the parameters after the question mark, or raise Invalid for one that is undeclared, wrong or repeated."""
    for name, values in request.query_params.lists():
        if len(values) > 1:
            raise Invalid("A parameter is given more than once.", field=name if name in inputs.model_fields else "…")
    return parse(inputs, request.query_params.dict())
