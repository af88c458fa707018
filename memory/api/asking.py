"""Who is asking, from a request."""

from rest_framework.request import Request

from orgs.caller import Caller
from orgs.errors import Unauthenticated


def caller_of(request: Request) -> Caller:
    """Return the caller that authentication found, or raise Unauthenticated."""
    if not isinstance(request.auth, Caller):
        raise Unauthenticated
    return request.auth
