"""Calls over MCP in the test's own transaction."""

import json
from collections.abc import Mapping
from typing import Any

from tests.cast import Person
from tests.memory.api.calling import post

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


def message(method: str, params: Mapping[str, Any] | None = None, *, id: object = 1) -> dict[str, Any]:
    """Write a request."""
    return {"jsonrpc": "2.0", "id": id, "method": method, "params": dict(params or {})}


def hello(version: str = "2025-11-25") -> dict[str, Any]:
    """Write the request that begins the handshake of the years before 2026."""
    client = {"name": "test", "version": "1"}
    return message("initialize", {"protocolVersion": version, "capabilities": {}, "clientInfo": client})


def asked(
    person: Person | None, method: str, params: Mapping[str, Any] | None = None, *, at: str = "/mcp", **headers: str
) -> Any:
    """Make a request and return its result."""
    response = post(person, at, message(method, params), **headers)
    told = response.json()
    assert (response.status_code, "result" in told) == (200, True), told
    return told["result"]


def tool(person: Person | None, name: str, /, *, at: str = "/mcp", **arguments: Any) -> Any:
    """Call a tool and return what it answered; a tool's error is no answer."""
    result = asked(person, "tools/call", {"name": name, "arguments": arguments}, at=at)
    assert not result.get("isError"), result
    assert len(result["content"]) == 1
    read = json.loads(result["content"][0]["text"])
    assert result["structuredContent"] == ({"result": None} if read is None else read)
    return read


def failed(person: Person | None, name: str, /, *, at: str = "/mcp", **arguments: Any) -> dict[str, Any]:
    """Call a tool that has to fail, and return the problem."""
    result = asked(person, "tools/call", {"name": name, "arguments": arguments}, at=at)
    assert (result.get("isError"), "structuredContent" in result) == (True, False), result
    problem: dict[str, Any] = json.loads(result["content"][0]["text"])
    return problem


def refusal(response: Any) -> tuple[int, int, str]:
    """Return the status of an answer that is a JSON-RPC error, and the error's code and our own."""
    told = response.json()
    assert (response["Content-Type"], told["jsonrpc"]) == ("application/json", "2.0")
    return response.status_code, told["error"]["code"], told["error"]["data"]["code"]
