"""Who is asking, for Django REST framework: `request.auth` is a Caller, `request.user` whom it acts for."""

from datetime import datetime
from typing import Any

from django.utils import timezone
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.request import Request

from orgs import rates
from orgs.access import caller_for_key, caller_for_member
from orgs.caller import Caller
from orgs.errors import Unauthenticated
from orgs.models import User
from orgs.queries import organizations_of

CHALLENGE = 'Bearer realm="palimpsest"'
ORGANIZATION_IN_SESSION = "organization_id"
CALLER = "palimpsest.caller"  # where a request keeps among its META, for the log, who asked
RATES = "palimpsest.rates"  # where a request keeps how it stands with its limits


class Asker:
    """The person a key acts for, as far as the framework asks: no query is made for more."""

    is_authenticated = True
    is_active = True
    is_anonymous = False

    def __init__(self, caller: Caller) -> None:
        self.id = self.pk = caller.user_id


class KeyAuthentication(BaseAuthentication):
    """`Authorization: Bearer pal_…` or `X-API-Key: pal_…`. A key in an address is none: those get logged."""

    def authenticate(self, request: Request) -> tuple[Any, Caller] | None:
        """Tell who asks, pass on a request without a key, or raise Unauthenticated."""
        token = token_in(request.headers.get("Authorization", ""), request.headers.get("X-API-Key", ""))
        if token is None:
            return None
        now = timezone.now()
        caller = caller_for_key(token, now=now, address=request.META.get("REMOTE_ADDR", ""))
        return Asker(caller), _counted(request, caller, now=now)

    def authenticate_header(self, _request: Request) -> str:
        """Name the scheme, so that clients ask for a key rather than guess."""
        return CHALLENGE


class MemberAuthentication(SessionAuthentication):
    """A signed-in member, with CSRF checked; which of their organizations, the session says."""

    def authenticate(self, request: Request) -> tuple[User, Caller] | None:
        """Tell who asks, or pass on a request without a session; a stopped member is Unauthenticated."""
        signed_in = super().authenticate(request)
        if signed_in is None:
            return None
        user, now = signed_in[0], timezone.now()
        chosen = request.session.get(ORGANIZATION_IN_SESSION)
        if chosen is None:
            belongings = organizations_of(user, now=now)
            chosen = belongings[0].id if belongings else None
        if chosen is None:
            raise Unauthenticated
        return user, _counted(request, caller_for_member(user, chosen, now=now), now=now)

    def authenticate_header(self, _request: Request) -> str:
        """Name the scheme of keys: there is none for sessions."""
        return CHALLENGE


def _counted(request: Request, caller: Caller, *, now: datetime) -> Caller:
    """Count the call, or raise TooMany."""
    request.META[RATES] = standing = rates.count(caller, now=now)
    rates.require_room(standing)
    return caller


def token_in(authorization: str, x_api_key: str = "") -> str | None:
    """Take the key out of the headers, however the scheme is spelled; nothing if there is none.

    Raises Unauthenticated for another scheme or an empty key, so that it is not mistaken for a guest.
    """
    scheme, _, token = authorization.strip().partition(" ")
    if not scheme:
        return x_api_key.strip() or None
    if scheme.lower() != "bearer" or not token.strip():
        raise Unauthenticated
    return token.strip()
