"""Who is asking, from a request."""

from rest_framework.request import Request

from orgs.caller import Caller
from orgs.errors import Unauthenticated

CALLER = "palimpsest.caller"  # where a request keeps its caller for the log
CALLED = "palimpsest.called"  # and where it tells what was called, if its address does not


def caller_of(request: Request) -> Caller:
    """Return the caller that authentication found, or raise Unauthenticated."""
    if not isinstance(request.auth, Caller):
        raise Unauthenticated
    request.META[CALLER] = request.auth
    return request.auth
