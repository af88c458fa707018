"""Keys and sessions at the door of the REST framework."""

import pytest
from django.contrib.sessions.backends.signed_cookies import SessionStore
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.test import APIRequestFactory
from rest_framework.views import APIView

from orgs.authentication import (
    CHALLENGE,
    ORGANIZATION_IN_SESSION,
    KeyAuthentication,
    MemberAuthentication,
    token_in,
)
from orgs.errors import Refusal, Unauthenticated, Unknown
from orgs.models import Membership
from orgs.roles import Permission
from orgs.tenancy import acting_for

FACTORY = APIRequestFactory()


class WhoAmI(APIView):
    """Tells who asks; POST needs a permission that no key has."""

    authentication_classes = (KeyAuthentication, MemberAuthentication)

    def get(self, request):
        return Response({"user": str(request.user.pk), "key": str(request.auth.key_id)})

    def post(self, request):
        request.auth.require(Permission.MANAGE)

    def handle_exception(self, exc):
        if isinstance(exc, Refusal):
            headers = {"WWW-Authenticate": self.get_authenticate_header(self.request)} if exc.status == 401 else {}
            return Response({"code": exc.code}, status=exc.status, headers=headers)
        return super().handle_exception(exc)


def ask(method="get", **headers):
    answer = WhoAmI.as_view()(getattr(FACTORY, method)("/", headers=headers))
    return answer.status_code, answer.headers.get("WWW-Authenticate"), answer.data


def test_fc02_a_valid_key_comes_in_however_the_header_is_spelled(cast):
    token, who = cast.ada.token, {"user": str(cast.ada.user.id), "key": str(cast.ada.key.id)}
    spellings = [
        {"Authorization": f"Bearer {token}"},
        {"Authorization": f"bearer {token}"},
        {"Authorization": f"BEARER   {token} "},
        {"Authorization": f"  Bearer {token}\t"},
        {"X-API-Key": token},
        {"X-Api-Key": f" {token} "},
    ]
    assert [ask(**spelling) for spelling in spellings] == [(200, None, who)] * 6


@pytest.mark.parametrize(
    "header",
    ["Bearer wrong-key", "Bearer", "Bearer ", "Basic YTpi", "Token x", "wrong-key", "Bearer \x80\xff", "Bearer a b"],
)
def test_fc02_a_bad_key_is_asked_for_a_good_one(db, header):
    assert ask(Authorization=header) == (401, CHALLENGE, {"code": "unauthenticated"})


def test_fc02_an_action_that_is_not_allowed_is_forbidden_and_not_unauthenticated(cast):
    assert ask("post", **cast.oz.headers)[0] == 403


def test_fc45_a_key_in_the_address_is_none(cast):
    asked = [FACTORY.get("/", told) for told in ({"api_key": cast.ada.token, "key": cast.ada.token}, {})]
    keyed, nobody = (KeyAuthentication().authenticate(Request(one)) for one in asked)
    assert keyed is nobody is None


def test_a_suspended_owners_key_is_refused_like_any_other(cast):
    assert ask(**cast.sam.headers) == ask(Authorization="Bearer wrong-key")


def test_the_scheme_is_taken_off_the_key():
    assert [token_in("Bearer a"), token_in("bearer  a "), token_in("", " a "), token_in("", ""), token_in(" ")] == [
        *("a", "a", "a", None, None),
    ]


# --- sessions ------------------------------------------------------------------------------------


def signed_in(user, method="get", *, organization_id=None, csrf=False):
    request = getattr(FACTORY, method)("/")
    request.user, request.session = user, SessionStore()
    request._dont_enforce_csrf_checks = csrf
    if organization_id:
        request.session[ORGANIZATION_IN_SESSION] = str(organization_id)
    return Request(request)


def test_a_member_comes_in_by_session(cast):
    user, caller = MemberAuthentication().authenticate(signed_in(cast.ada.user))
    assert (user, caller.organization_id, caller.key_id) == (cast.ada.user, cast.organization.id, None)


def test_the_session_says_which_organization(cast, now):
    with acting_for(cast.organization.id):
        Membership.objects.create(organization=cast.organization, user=cast.eve.user)
    chosen = []
    for organization_id in (cast.elsewhere.id, cast.organization.id, None):
        request = signed_in(cast.eve.user, organization_id=organization_id)
        chosen.append(MemberAuthentication().authenticate(request)[1].organization_id)
    assert chosen == [cast.elsewhere.id, cast.organization.id, cast.elsewhere.id]


def test_fc27_a_session_cannot_choose_an_organization_it_does_not_belong_to(cast):
    with pytest.raises(Unknown):
        MemberAuthentication().authenticate(signed_in(cast.ada.user, organization_id=cast.elsewhere.id))


def test_a_suspended_members_session_is_refused(cast):
    for organization_id in (None, cast.organization.id):
        with pytest.raises(Unauthenticated):
            MemberAuthentication().authenticate(signed_in(cast.sam.user, organization_id=organization_id))


def test_a_session_writes_only_with_its_csrf_token(cast):
    with pytest.raises(PermissionDenied):
        MemberAuthentication().authenticate(signed_in(cast.ada.user, "post"))
    assert MemberAuthentication().authenticate(signed_in(cast.ada.user, "post", csrf=True)) is not None
