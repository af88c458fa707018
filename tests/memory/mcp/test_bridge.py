"""The bridge for clients that only start programs, driven by the official client and by hand."""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters

from memory.mcp import bridge
from tests.memory.mcp.redirecting import redirecting

FILE = Path(bridge.__file__)


def started(url, key, lines, *, module=True, folder=None):
    """Run the bridge with these lines for input and return what it wrote."""
    command = [sys.executable, "-m", "memory.mcp.bridge", url] if module else [sys.executable, "-I", str(FILE), url]
    return subprocess.run(
        command,
        input="".join(line if isinstance(line, str) else json.dumps(line) + "\n" for line in lines),
        env={"PATH": os.environ["PATH"], "PALIMPSEST_KEY": key},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
def test_the_official_client_works_through_it(service, committed_cast, mode):
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "memory.mcp.bridge"],
        env={"PALIMPSEST_KEY": committed_cast.ada.token, "PALIMPSEST_URL": f"{service.url}/mcp"},
        cwd=str(FILE.parents[2]),
    )

    async def session():
        async with Client(server, mode=mode) as client:
            assert len((await client.list_tools()).tools) == 5
            calls = [client.call_tool("remember", {"content": f"bridged {n}"}) for n in range(20)]
            kept = [json.loads(result.content[0].text)["content"] for result in await asyncio.gather(*calls)]
            assert kept == [f"bridged {n}" for n in range(20)]
            fact = await client.call_tool("remember", {"content": "стенд", "fact_key": "стенд"})
            assert not fact.is_error
            read = await client.read_resource("memory://fact/стенд")
            assert "стенд" in read.contents[0].text

    asyncio.run(session())


def test_this_file_alone_is_enough(service, committed_cast, tmp_path):
    ping = {"jsonrpc": "2.0", "id": "a-1", "method": "ping"}
    done = started(f"{service.url}/mcp", committed_cast.ada.token, [ping], module=False, folder=tmp_path)
    assert [json.loads(line) for line in done.stdout.splitlines()] == [{"jsonrpc": "2.0", "id": "a-1", "result": {}}]


def test_a_refusal_at_the_door_is_told_to_the_request_it_is_about(service, committed_cast):
    lines = [
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 7, "method": "tools/list"},
    ]
    done = started(f"{service.url}/mcp", "pal_wrong", lines)
    (told,) = [json.loads(line) for line in done.stdout.splitlines()]
    assert (told["id"], told["error"]["data"]["code"]) == (7, "unauthenticated")


def test_a_server_that_is_not_there_and_a_line_that_is_no_json_are_told(committed_cast):
    lines = [{"jsonrpc": "2.0", "id": 7, "method": "ping"}, "{\n", "\n"]
    done = started("http://127.0.0.1:9/mcp", "pal_secret_key", lines)
    told = {str(json.loads(line)["id"]): json.loads(line)["error"]["code"] for line in done.stdout.splitlines()}
    assert told == {"7": bridge.INTERNAL_ERROR, "None": bridge.PARSE_ERROR}
    assert ("pal_secret_key" in done.stdout + done.stderr, done.returncode) == (False, 0)


@pytest.mark.parametrize(("url", "key"), [("", "pal_x"), ("file:///etc/passwd", "pal_x"), ("http://127.0.0.1:9", "")])
def test_it_says_what_it_needs(url, key):
    done = started(url, key, [])
    assert (done.returncode, "PALIMPSEST_KEY" in done.stderr, done.stdout) == (2, True, "")


def test_a_key_follows_no_redirect():
    with redirecting() as (url, seen):
        done = started(url, "pal_secret_key", [{"jsonrpc": "2.0", "id": 7, "method": "ping"}])
    assert json.loads(done.stdout)["error"]["code"] == bridge.INTERNAL_ERROR
    assert seen == ["/mcp"]
