"""Who comes in over REST, and how the others are told."""

from datetime import timedelta

import pytest
from django.utils import timezone

from orgs.roles import Action
from orgs.tenancy import acting_for
from tests.factories import make_key
from tests.memory.api.calling import get, post, told

CHALLENGE = 'Bearer realm="palimpsest"'
ADDRESSES = [
    "/v1/remember",
    "/v1/search",
    "/v1/forget",
    "/v1/validate_memory",
    "/v1/memory",
    f"/v1/records/{'0' * 32}/restore",
]


@pytest.mark.parametrize("path", ADDRESSES)
@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": "Bearer wrong-key"},
        {"Authorization": "Bearer"},
        {"Authorization": "Basic YTpi"},
        {"Authorization": "wrong-key"},
        {"X-API-Key": "pal_wrong_key"},
        {"Authorization": "Bearer \x80\xff"},
    ],
)
def test_fc02_without_a_valid_key_every_address_asks_for_one(db, path, headers):
    response = post(None, path, {}, **headers)
    assert (told(response), response["WWW-Authenticate"]) == ((401, "unauthenticated", None), CHALLENGE)


@pytest.mark.parametrize("spelling", ["bearer {}", "Bearer {} ", "BEARER   {}"])
def test_fc02_a_valid_key_is_taken_however_it_is_spelled(cast, spelling):
    response = post(None, "/v1/search", {"query": "x"}, Authorization=spelling.format(cast.ada.token))
    assert response.status_code == 200


def test_fc02_an_action_that_the_key_has_not_is_forbidden(cast):
    with acting_for(cast.organization.id):
        _, token = make_key(cast.ada.member, cast.project, actions=[Action.READ])
    refused = [
        post(None, path, body, Authorization=f"Bearer {token}")
        for path, body in (("/v1/remember", {"content": "x"}), ("/v1/forget", {"source_id": "docs/a.md"}))
    ]
    assert [told(response) for response in refused] == [(403, "forbidden", None)] * 2
    assert not any("WWW-Authenticate" in response for response in refused)


@pytest.mark.parametrize(
    "path",
    [
        "/.well-known/oauth-authorization-server",
        "/v1",
        "/v1/nothing",
        "/v1/record",
        "/favicon.txt",
    ],
)
def test_fc02_an_unknown_address_is_a_problem_and_no_page(db, path):
    assert told(get(None, path)) == (404, "unknown", None)


def test_fc52_a_keys_end_is_exact(cast):
    ends_at = timezone.now() + timedelta(hours=1)
    with acting_for(cast.organization.id):
        key, token = make_key(cast.ada.member, cast.project, expires_at=ends_at)
        search = lambda: post(None, "/v1/search", {"query": "x"}, Authorization=f"Bearer {token}")  # noqa: E731
        before = search().status_code
        key.expires_at = timezone.now()
        key.save(update_fields=["expires_at"])
    assert (before, told(search())) == (200, (401, "unauthenticated", None))


def test_fc45_a_key_in_the_address_is_no_key_and_is_not_said_back(cast):
    response = post(None, f"/v1/search?api_key={cast.ada.token}", {"query": "x"})
    assert (told(response)[0], cast.ada.token in response.content.decode()) == (401, False)


def test_what_stands_after_a_question_mark_is_refused_and_never_dropped_silently(cast):
    record = post(cast.ada, "/v1/remember", {"content": "x"}).json()["id"]
    refused = [
        post(cast.ada, "/v1/remember?project=gemini", {"content": "x"}),
        post(cast.ada, "/v1/search?limit=1", {"query": "x"}),
        get(cast.ada, f"/v1/records/{record}?author=me"),
        post(cast.ada, f"/v1/records/{record}/restore?force=1", {}),
        post(cast.ada, "/v1/memory?op=read", {"query": "x"}),
    ]
    assert [told(response) for response in refused] == [(400, "invalid", "query")] * 5
