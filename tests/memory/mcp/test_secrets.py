"""A secret that an agent sends anywhere is found nowhere: not in tables, answers, logs."""

import json

import pytest

from memory.mcp.endpoint import Endpoint
from tests.memory.api.calling import post
from tests.memory.api.test_secrets import FIELDS, HEART, TOKEN, tables_that_hold
from tests.memory.mcp.calling import failed, message, tool


def sent(service, person, body, **headers):
    """Send a message, or bytes, to the running service."""
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    return service.ask(
        "POST", "/mcp", headers={"Content-Type": "application/json", **person.headers, **headers}, body=raw
    )


def test_fc09_a_secret_in_any_field_is_stored_nowhere_and_said_nowhere(service, committed_cast, superuser):
    for field, value in FIELDS.items():
        call = {"name": "remember", "arguments": {"content": "x", field: value}}
        told = sent(service, committed_cast.ada, message("tools/call", call))
        result = told.json()["result"]
        assert (field, result["isError"]) == (field, False), result
        assert sum(result["structuredContent"]["redactions"].values()) >= 1, field
        assert HEART not in told.data.decode(), field
    assert (tables_that_hold(HEART, superuser), HEART in service.log) == ([], False)


def test_fc45_a_secret_in_any_message_is_said_back_by_none_and_logged_nowhere(service, committed_cast, superuser):
    newest = {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": TOKEN, "Mcp-Name": TOKEN}
    messages = [
        {"jsonrpc": "2.0", "id": TOKEN, "method": "ping"},
        {"jsonrpc": "2.0", "id": 1, "method": TOKEN},
        {"jsonrpc": "2.0", "id": [TOKEN], "method": "ping"},
        {"jsonrpc": "2.0", "id": 1, "method": "ping", "params": TOKEN},
        {"jsonrpc": "2.0", "method": f"notifications/{TOKEN}", "params": {"requestId": TOKEN}},
        message(
            "initialize", {"protocolVersion": TOKEN, "capabilities": {}, "clientInfo": {"name": TOKEN, "version": "1"}}
        ),
        message("initialize", {"protocolVersion": [TOKEN], "capabilities": TOKEN}),
        message("tools/call", {"name": TOKEN, "arguments": {}}),
        message("tools/call", {"name": "search", "arguments": [TOKEN]}),
        message("tools/call", {"name": "search", "arguments": {TOKEN: 1}}),
        message("tools/call", {"name": "search", "arguments": {"query": "x", "limit": TOKEN}}),
        message("tools/call", {"name": "memory", "arguments": {"op": TOKEN}}),
        message("tools/call", {"name": "search", "arguments": {"query": f"what is {TOKEN}"}}),
        message("resources/read", {"uri": f"memory://record/{TOKEN}"}),
        message("prompts/get", {"name": TOKEN}),
        message("prompts/get", {"name": "brief", "arguments": {TOKEN: "x"}}),
        message("completion/complete", {"ref": {"type": TOKEN}, "argument": TOKEN}),
        f'{{"jsonrpc": "{TOKEN}'.encode(),
    ]
    for number, body in enumerate(messages):
        for headers in ({}, {"MCP-Protocol-Version": TOKEN}, newest):
            told = sent(service, committed_cast.ada, body, **headers)
            assert (number, told.status < 500) == (number, True)
            # The protocol itself says back an id, a method and a version that nobody knows.
            if number > 1 and TOKEN not in headers.get("MCP-Protocol-Version", ""):
                assert (number, HEART in told.data.decode()) == (number, False), told.data
    assert (tables_that_hold(HEART, superuser), HEART in service.log) == ([], False)


def test_fc45_the_log_names_the_verb_and_how_it_ended_and_no_key(service, committed_cast):
    request = "agent-run-0002"
    call = {"name": "search", "arguments": {"query": "x", "limit": 0}}
    sent(service, committed_cast.ada, message("tools/call", call), **{"X-Request-Id": request})
    (line,) = [json.loads(one) for one in service.log.splitlines() if request in one]
    told = {name: line[name] for name in ("event", "route", "verb", "outcome", "status", "key")}
    key = str(committed_cast.ada.key.id)
    assert told == {
        "event": "request",
        "route": "mcp",
        "verb": "search",
        "outcome": "invalid",
        "status": 200,
        "key": key,
    }
    assert committed_cast.ada.token not in service.log


def test_calls_count_as_those_over_rest_do(cast):
    from memory.metrics import VERBS

    def counted(outcome):
        return VERBS.labels("search", outcome)._value.get()

    before = counted("list"), counted("invalid")
    tool(cast.ada, "search", query="x")
    failed(cast.ada, "search", query="x", limit=0)
    assert (counted("list"), counted("invalid")) == (before[0] + 1, before[1] + 1)


@pytest.mark.parametrize("where", ["tool", "door"])
def test_a_fault_of_ours_is_told_without_a_trace(cast, monkeypatch, caplog, where):
    def broken(*_, **__):
        raise ValueError(f"boom {TOKEN}")

    if where == "tool":
        monkeypatch.setattr("memory.mcp.tools.run", broken)
        told = failed(cast.ada, "search", query="x")
        assert (told["code"], told["status"]) == ("fault", 500)
    else:
        monkeypatch.setattr(Endpoint, "post", broken)
        response = post(cast.ada, "/mcp", message("ping"))
        told = response.json()
        assert (response.status_code, told["error"]["data"]["code"]) == (500, "fault")
    assert HEART not in json.dumps(told) + caplog.text
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == ["fault"]
