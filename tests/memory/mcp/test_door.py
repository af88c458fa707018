"""Who comes in over MCP, from where, and into which place."""

import json
from datetime import timedelta

import pytest
from asgiref.sync import async_to_sync
from django.test import AsyncClient, Client
from django.utils import timezone

from memory.models import Record
from orgs.models import AuditEvent
from orgs.roles import Action, Visibility
from orgs.tenancy import acting_for
from tests.factories import make_key, make_workspace
from tests.memory.api.calling import get, post
from tests.memory.mcp.calling import PING, asked, failed, hello, message, refusal, tool

KEYLESS = [
    {},
    {"Authorization": "Bearer wrong-key"},
    {"Authorization": "Bearer"},
    {"Authorization": "Basic YTpi"},
    {"X-API-Key": "pal_wrong_key"},
]
MESSAGES = [
    hello(),
    PING,
    message("tools/list"),
    message("tools/call", {"name": "search", "arguments": {"query": "x"}}),
]


@pytest.mark.parametrize("headers", KEYLESS)
@pytest.mark.parametrize("body", [*MESSAGES, {"jsonrpc": "2.0", "method": "notifications/initialized"}, b"{"])
def test_fc02_without_a_valid_key_nothing_is_answered_but_where_keys_are_described(db, headers, body):
    response = post(None, "/mcp", body, **headers)
    assert refusal(response) == (401, -32600, "unauthenticated")
    scheme, _, described = response["WWW-Authenticate"].partition("resource_metadata=")
    assert scheme == 'Bearer realm="palimpsest", '
    assert get(None, described.strip('"').removeprefix("http://127.0.0.1:8000")).status_code == 200


@pytest.mark.parametrize("spelling", ["bearer {}", "Bearer {} ", "BEARER   {}"])
def test_fc02_a_valid_key_is_taken_however_it_is_spelled(cast, spelling):
    assert asked(None, "ping", Authorization=spelling.format(cast.ada.token)) == {}


def test_fc02_an_action_that_the_key_has_not_is_a_tool_error(cast):
    with acting_for(cast.organization.id):
        _, token = make_key(cast.ada.member, cast.project, actions=[Action.READ])
    call = {"name": "remember", "arguments": {"content": "x"}}
    result = asked(None, "tools/call", call, Authorization=f"Bearer {token}")
    assert (result["isError"], json.loads(result["content"][0]["text"])["code"]) == (True, "forbidden")


def test_a_session_of_the_browser_is_no_key(cast, client):
    client.force_login(cast.ada.user)
    assert client.post("/mcp", json.dumps(PING), content_type="application/json").status_code == 401


def test_fc45_a_key_in_the_address_is_no_key_and_is_not_said_back(cast):
    for address in (f"/mcp?api_key={cast.ada.token}", f"/mcp/{cast.ada.token}"):
        response = post(None, address, PING)
        assert (response.status_code, cast.ada.token in response.content.decode()) == (401, False)
    response = post(cast.ada, f"/mcp?token={cast.ada.token}", PING)
    assert (refusal(response)[0], cast.ada.token in response.content.decode()) == (400, False)


def test_fc52_a_key_that_is_revoked_or_over_stops_at_its_next_call(cast):
    with acting_for(cast.organization.id):
        key, token = make_key(cast.ada.member, cast.project)
        signed = {"Authorization": f"Bearer {token}"}
        before = post(None, "/mcp", PING, **signed).status_code
        key.revoked_at = timezone.now()
        key.save(update_fields=["revoked_at"])
        revoked = post(None, "/mcp", PING, **signed).status_code
        key.revoked_at, key.expires_at = None, timezone.now() - timedelta(microseconds=1)
        key.save(update_fields=["revoked_at", "expires_at"])
    assert (before, revoked, post(None, "/mcp", PING, **signed).status_code) == (200, 401, 401)


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:8001", "http://localhost:8000"])
def test_a_page_of_another_site_may_not_call(cast, origin):
    for body in MESSAGES:
        assert refusal(post(cast.ada, "/mcp", body, Origin=origin)) == (403, -32600, "forbidden")
    assert post(None, "/mcp", PING, Origin=origin).status_code == 403


NAMED = "https://console.example"


def test_pages_of_our_own_site_and_of_named_ones_may_call(cast, settings):
    settings.MCP_ORIGINS = [NAMED]
    for origin in ("http://127.0.0.1:8000", NAMED):
        assert asked(cast.ada, "ping", Origin=origin) == {}


def test_a_browser_is_told_which_pages_may_call(cast, settings):
    settings.MCP_ORIGINS = [NAMED]
    wanted = {"Origin": NAMED, "Access-Control-Request-Method": "POST"}
    told = Client().options("/mcp", headers={**wanted, "Access-Control-Request-Headers": "authorization"})
    assert (told.status_code, told["Access-Control-Allow-Origin"], told["Access-Control-Allow-Methods"]) == (
        204,
        NAMED,
        "POST",
    )
    assert {"Authorization", "Mcp-Method"} <= set(told["Access-Control-Allow-Headers"].split(", "))
    for person, status in ((cast.ada, 200), (None, 401)):
        answered = post(person, "/mcp/", PING, Origin=NAMED)
        assert (answered.status_code, answered["Access-Control-Allow-Origin"]) == (status, NAMED)
        assert "Origin" in answered["Vary"]


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:8000", None])
def test_a_browser_is_told_nothing_of_other_pages(cast, settings, origin):
    settings.MCP_ORIGINS = [NAMED]
    headers = {"Origin": origin} if origin else {}
    told = [Client().options("/mcp", headers=headers), post(cast.ada, "/mcp", PING, **headers)]
    assert [("Access-Control-Allow-Origin" in one, one.status_code == 204) for one in told] == [(False, False)] * 2


def test_a_name_of_another_host_is_refused(cast):
    assert post(cast.ada, "/mcp", PING, Host="evil.example").status_code == 400


def test_an_address_names_the_project_of_the_key_and_no_other(cast):
    tool(cast.ada, "remember", content="in apollo", at="/mcp/apollo")
    assert [one["content"] for one in tool(cast.ada, "search", query="apollo", at="/mcp/apollo/")["results"]] == [
        "in apollo"
    ]
    for place in ("gemini", "nothing", "Apollo%00", "%2e%2e"):
        assert refusal(post(cast.ada, f"/mcp/{place}", PING)) == (404, -32600, "unknown")


def test_an_address_narrows_reading_and_writing_to_its_workspace(cast):
    for workspace in ("docs", "notes"):
        tool(cast.ada, "remember", content=f"quokka in {workspace}", workspace=workspace)
    kept = tool(cast.ada, "remember", content="quokka again", at="/mcp/apollo/Docs")
    found = tool(cast.ada, "search", query="quokka", at="/mcp/apollo/docs/")["results"]
    assert (kept["workspace"], {one["workspace"] for one in found}) == ("docs", {"docs"})
    assert tool(cast.ada, "search", query="quokka", workspace="notes", at="/mcp/apollo/docs")["results"] == []
    refused = failed(cast.ada, "remember", content="x", workspace="notes", at="/mcp/apollo/docs")
    assert (refused["code"], refused["field"]) == ("unknown", "workspace")


def test_an_address_never_widens_a_key_of_some_workspaces(cast):
    with acting_for(cast.organization.id):
        make_workspace(cast.project, "docs")
        _, token = make_key(cast.ada.member, cast.project, every_workspace=False, workspaces=["docs"])
    signed = {"Authorization": f"Bearer {token}"}
    assert post(None, "/mcp/apollo/docs", PING, **signed).status_code == 200
    assert refusal(post(None, "/mcp/apollo/notes", PING, **signed)) == (404, -32600, "unknown")


def test_an_address_with_a_workspace_shows_nothing_of_other_projects(cast, now):
    tool(cast.dot, "remember", content="quokka for all", visibility=Visibility.ORGANIZATION)
    everywhere = tool(cast.ada, "search", query="quokka")["results"]
    within = tool(cast.ada, "search", query="quokka", at="/mcp/apollo/default")["results"]
    assert (len(everywhere), within) == (1, [])


def test_fc27_arguments_choose_no_tenant_author_or_status(cast):
    for name, value in {
        "project": str(cast.other_project.id),
        "organization": str(cast.elsewhere.id),
        "author": str(cast.ben.user.id),
        "status": "verified",
        "created_at": "2000-01-01T00:00:00Z",
        "id": str(cast.project.id),
        "deleted_at": "2000-01-01T00:00:00Z",
    }.items():
        refused = failed(cast.ada, "remember", content="x", **{name: value})
        assert (refused["code"], refused["field"]) == ("invalid", name)
    with acting_for(cast.organization.id):
        assert Record.objects.count() == 0


def test_fc27_headers_choose_no_project(cast):
    call = {"name": "remember", "arguments": {"content": "x"}}
    result = asked(cast.ada, "tools/call", call, **{"X-Project": "gemini", "X-Organization": "elsewhere"})
    assert result["structuredContent"]["project"] == str(cast.project.id)


def test_the_audit_tells_where_a_call_came_from(cast):
    response = post(
        cast.ada,
        "/mcp",
        message("tools/call", {"name": "remember", "arguments": {"content": "x"}}),
        **{"X-Request-Id": "agent-run-0001"},
    )
    with acting_for(cast.organization.id):
        event = AuditEvent.objects.filter(verb="remember").get()
    assert (event.request_id, event.address, event.key_id) == ("agent-run-0001", "127.0.0.1", cast.ada.key.id)
    assert response["X-Request-Id"] == "agent-run-0001"


def test_an_idempotency_key_gives_one_effect(cast):
    call = {"name": "remember", "arguments": {"content": "once"}}
    told = {**call, "_meta": {"palimpsest/idempotencyKey": "k"}}
    answers = [asked(cast.ada, "tools/call", call, **{"Idempotency-Key": "k"}) for _ in range(2)]
    answers += [asked(cast.ada, "tools/call", told) for _ in range(2)]
    assert len({answer["structuredContent"]["id"] for answer in answers}) == 1
    other = {**told, "arguments": {"content": "twice"}}
    assert json.loads(asked(cast.ada, "tools/call", other)["content"][0]["text"])["code"] == "unprocessable"


@pytest.mark.parametrize("key", [7, ["k"], "", " ", "k" * 256])
def test_an_idempotency_key_that_can_be_none_is_refused_and_not_passed_over(cast, key):
    call = {"name": "remember", "arguments": {"content": "once"}, "_meta": {"palimpsest/idempotencyKey": key}}
    problem = json.loads(asked(cast.ada, "tools/call", call)["content"][0]["text"])
    assert (problem["code"], problem["field"]) == ("invalid", "Idempotency-Key")


def test_the_asynchronous_role_answers_as_well(cast):
    call = message("tools/call", {"name": "remember", "arguments": {"content": "x"}})
    ask = async_to_sync(AsyncClient().post)
    response = ask("/mcp", json.dumps(call), content_type="application/json", headers=cast.ada.headers)
    assert response.json()["result"]["structuredContent"]["committed"]
