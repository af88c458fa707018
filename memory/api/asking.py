"""Who is asking, from a request."""

from rest_framework.request import Request

from orgs.authentication import CALLER
from orgs.caller import Caller
from orgs.errors import Unauthenticated

CALLED = "palimpsest.called"  # where a request tells the log what was called, if its address does not


def caller_of(request: Request) -> Caller:
    """Return the caller that authentication found, or raise Unauthenticated."""
    if not isinstance(request.auth, Caller):
        raise Unauthenticated
    request.META[CALLER] = request.auth
    return request.auth
