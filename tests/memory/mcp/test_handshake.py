"""What goes over the wire before any tool is called: methods, headers, versions, notifications."""

import json

import pytest
from django.test import Client

from tests.memory.api.calling import get, post
from tests.memory.mcp.calling import PING, asked, hello, message, refusal

META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


def modern(method, params=None, **headers):
    """Write a request of 2026-07-28, and the headers that go with it."""
    return message(method, {**(params or {}), "_meta": META}), {
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": method,
        **headers,
    }


@pytest.mark.parametrize(
    "notice",
    [
        {"method": "notifications/initialized"},
        {"method": "notifications/cancelled", "params": {"requestId": 7}},
        {"method": "notifications/whatever"},
        {"method": "notifications/cancelled", "params": {"requestId": ["no", "id"]}},
    ],
)
def test_fc01_a_notification_gets_202_and_nothing_else(cast, notice):
    for headers in ({}, {"MCP-Protocol-Version": "2025-06-18"}, {"MCP-Protocol-Version": "2026-07-28"}):
        response = post(cast.ada, "/mcp", {"jsonrpc": "2.0", **notice}, **headers)
        assert (response.status_code, response.content) == (202, b"")


@pytest.mark.parametrize("id", [0, "a-1", -5, "0", 2**53])
def test_fc01_an_id_comes_back_as_it_was(cast, id):
    answered = post(cast.ada, "/mcp", {**PING, "id": id}).json()
    assert (answered["id"], type(answered["id"]), answered["result"]) == (id, type(id), {})


def test_fc20_a_version_that_nobody_speaks_is_negotiated_and_not_echoed(cast):
    response = post(cast.ada, "/mcp", hello("2099-01-01"), **{"MCP-Protocol-Version": "2099-01-01"})
    assert (response.status_code, response.json()["result"]["protocolVersion"]) == (200, "2025-11-25")


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
def test_fc20_every_version_that_clients_speak_is_spoken(cast, version):
    result = post(cast.ada, "/mcp", hello(version)).json()["result"]
    assert result["protocolVersion"] == version
    assert (result["serverInfo"]["name"], "instructions" in result) == ("palimpsest", True)
    assert asked(cast.ada, "tools/list", **{"MCP-Protocol-Version": version})["tools"]


def test_fc20_a_version_is_demanded_of_no_one_and_an_unknown_one_is_refused(cast):
    assert asked(cast.ada, "tools/list")["tools"]
    response = post(cast.ada, "/mcp", message("tools/list"), **{"MCP-Protocol-Version": "2099-01-01"})
    assert (response.status_code, "error" in response.json()) == (400, True)


def test_fc20_the_newest_version_needs_no_handshake(cast):
    body, headers = modern("server/discover")
    found = post(cast.ada, "/mcp", body, **headers).json()["result"]
    assert (found["supportedVersions"], found["resultType"]) == (["2026-07-28"], "complete")
    body, headers = modern("tools/list")
    listed = post(cast.ada, "/mcp", body, **headers).json()["result"]
    assert (listed["ttlMs"] > 0, listed["cacheScope"], listed["resultType"]) == (True, "private", "complete")
    body, headers = modern("tools/call", {"name": "search", "arguments": {"query": "x"}}, **{"Mcp-Name": "search"})
    called = post(cast.ada, "/mcp", body, **headers).json()["result"]
    assert (called["isError"], called["structuredContent"]["results"]) == (False, [])


def test_fc20_a_header_that_names_another_tool_than_the_body_is_refused(cast):
    body, headers = modern("tools/call", {"name": "forget", "arguments": {}}, **{"Mcp-Name": "search"})
    response = post(cast.ada, "/mcp", body, **headers)
    assert (response.status_code, response.json()["error"]["code"]) == (400, -32020)


ACCEPTED = {
    "": "application/json",
    "*/*": "application/json",
    "application/json": "application/json",
    "application/json, text/event-stream": "application/json",
    "text/event-stream, application/json": "application/json",
    "text/event-stream": "text/event-stream",
}


@pytest.mark.parametrize(("accept", "kind"), ACCEPTED.items())
@pytest.mark.parametrize("body", [hello(), message("tools/list"), message("tools/call", {"name": "search"})])
def test_fc21_an_answer_comes_in_whichever_form_is_accepted(cast, accept, kind, body):
    response = post(cast.ada, "/mcp", body, **({"Accept": accept} if accept else {}))
    assert (response.status_code, response["Content-Type"].partition(";")[0]) == (200, kind)
    text = response.content.decode()
    if kind == "text/event-stream":
        event, data, *rest = text.split("\n")
        assert (event, data[:6], rest) == ("event: message", "data: ", ["", ""])
        text = data[6:]
    assert json.loads(text)["id"] == body["id"]


@pytest.mark.parametrize("method", ["get", "delete", "put", "options", "head"])
@pytest.mark.parametrize("address", ["/mcp", "/mcp/", "/mcp/apollo"])
def test_fc21_other_methods_have_nothing_to_do_here(cast, method, address):
    headers = {**cast.ada.headers, "Accept": "text/event-stream"}
    response = getattr(Client(), method)(address, headers=headers)
    assert (response.status_code, response["Allow"]) == (405, "POST")
    assert "html" not in response["Content-Type"]


@pytest.mark.parametrize("address", ["/mcp", "/mcp/"])
@pytest.mark.parametrize("proxied", [{}, {"X-Forwarded-Proto": "https"}])
def test_fc33_both_spellings_answer_without_a_redirect(cast, address, proxied):
    response = post(cast.ada, address, hello(), **proxied)
    assert (response.status_code, "Location" in response) == (200, False)


NO_MESSAGES = [
    b"",
    b"{",
    b'{"jsonrpc": "2.0", "id": 1, "method": "ping"',
    b"\xff\xfe",
    b"[" * 5_000,
    b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"a": NaN}}',
    b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"a": "x\\ud83d"}}',
    [],
    [PING],
    "ping",
    None,
    {},
    {**PING, "jsonrpc": "1.0"},
    {**PING, "method": 7},
    {**PING, "id": None},
    {**PING, "id": True},
    {**PING, "id": 1.5},
    {**PING, "id": {}},
    {**PING, "params": []},
    {**PING, "params": "x"},
    {"jsonrpc": "2.0", "id": 1, "result": {}},
]


@pytest.mark.parametrize("body", NO_MESSAGES)
def test_what_is_no_message_is_refused_in_words_of_ours(cast, body):
    status, code, own = refusal(post(cast.ada, "/mcp", body))
    assert (status, code in (-32700, -32600), own) == (400, True, "invalid")


def test_what_was_sent_is_never_said_back(cast):
    odd = "sesame-" * 3
    for body in ({**PING, "id": [odd]}, {**PING, "method": [odd]}, {**PING, "params": odd}, odd):
        assert odd not in post(cast.ada, "/mcp", body).content.decode()
    for method in (odd, "tools/call"):
        answered = post(cast.ada, "/mcp", message(method, {"name": odd, "arguments": [odd]})).json()
        assert "error" in answered
        assert odd not in answered["error"]["message"]


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])
def test_a_body_that_is_not_json_is_refused(cast, kind):
    assert refusal(post(cast.ada, "/mcp", "x", **{"Content-Type": kind}))[0] == 415


def test_fc10_a_body_that_is_too_large_is_told_the_limit(cast, settings):
    settings.MAX_BODY_BYTES = 10_000
    call = message("tools/call", {"name": "remember", "arguments": {"content": "a" * 10_000}})
    response = post(cast.ada, "/mcp", call)
    assert (refusal(response)[0], response.json()["error"]["data"]["limit_bytes"]) == (413, 10_000)


def test_a_method_that_is_not_there_is_told_so(cast):
    answered = post(cast.ada, "/mcp", message("tools/teleport")).json()
    assert (answered["id"], answered["error"]["code"]) == (1, -32601)


def test_a_tool_that_is_not_there_is_an_error_of_the_protocol(cast):
    answered = post(cast.ada, "/mcp", message("tools/call", {"name": "teleport"})).json()
    assert answered["error"]["code"] == -32602
    assert "remember" in answered["error"]["message"]


def test_the_resource_describes_itself_to_whoever_asks(db):
    for address in ("/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"):
        told = get(None, address).json()
        assert (told["resource"], told["bearer_methods_supported"]) == ("http://127.0.0.1:8000/mcp", ["header"])
