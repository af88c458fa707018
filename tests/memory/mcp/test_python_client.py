"""The official Python client against the running service, in both eras of the protocol."""

import asyncio
import json
from contextlib import asynccontextmanager

import pytest
from django.db import connection
from django.utils import timezone
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client

from orgs.roles import Action
from orgs.tenancy import acting_for
from tests.factories import make_key

ERAS = ["legacy", "2026-07-28", "auto"]
SETTLED = "staging is deployed with compose"


@asynccontextmanager
async def connected(service, token, *, mode="auto", path="/mcp"):
    """Connect as whoever holds the key."""
    async with (
        create_mcp_http_client(headers={"Authorization": f"Bearer {token}"}) as http,
        Client(streamable_http_client(service.url + path, http_client=http), mode=mode) as client,
    ):
        yield client


async def told(client, name, **arguments):
    """Call a tool; the client itself holds the answer against the tool's schema."""
    result = await client.call_tool(name, arguments)
    assert not result.is_error, result.content[0].text
    return json.loads(result.content[0].text)


async def every_tool(client):
    """Use each tool for what it is for."""
    first = await told(client, "remember", content="staging is deployed by hand", fact_key="deploy.staging")
    second = await told(client, "write", content=SETTLED, fact_key="deploy.staging", source_id="docs/deploy.md")
    assert (first["committed"], second["committed"]) == (True, True)
    found = await told(client, "search", query="how is staging deployed?", fact_key="deploy.staging")
    assert {one["id"]: one["status"] for one in found["results"]} == {
        first["id"]: "conflict",
        second["id"]: "conflict",
    }
    replaced = await told(client, "supersede", node_id=first["id"], superseded_by=second["id"])
    checked = await told(client, "validate_memory", ids=[first["id"], second["id"]])
    assert (replaced["superseded_by"], checked["stale_ids"]) == (second["id"], [first["id"]])
    assert (await told(client, "read", node_id=second["id"]))["content"] == SETTLED
    assert (await told(client, "read", intent="deploy staging", budget_tokens=500))["tokens_used"] > 0
    assert (await told(client, "route", intent="deploy staging"))["knowledge"][0]["id"] == second["id"]
    guessed = await told(client, "memory", query="staging")
    assert (guessed["op"], guessed["op_derived"]) == ("read", True)
    assert (await told(client, "forget", memory_id=second["id"]))["id"] == second["id"]
    assert await told(client, "read", node_id=second["id"]) is None


@pytest.mark.parametrize("mode", ERAS)
def test_every_tool_does_its_work_and_its_answer_fits_its_schema(service, committed_cast, mode):
    async def session():
        async with connected(service, committed_cast.ada.token, mode=mode, path="/mcp?surface=full") as client:
            tools = (await client.list_tools()).tools
            assert len(tools) == 9
            await every_tool(client)

    asyncio.run(session())


@pytest.mark.parametrize("mode", ERAS)
def test_a_failure_is_an_answer_that_the_agent_can_read(service, committed_cast, mode):
    async def session():
        async with connected(service, committed_cast.ada.token, mode=mode) as client:
            await client.list_tools()
            result = await client.call_tool("search", {"query": "x", "workspce": "docs"})
            problem = json.loads(result.content[0].text)
            assert (result.is_error, problem["code"], problem["nearest"]) == (True, "invalid", "workspace")
            with pytest.raises(MCPError):
                await client.call_tool("teleport", {})

    asyncio.run(session())


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
def test_fifty_calls_at_once_are_all_answered_and_none_gets_anothers(service, committed_cast, mode):
    everybody = [committed_cast.ada, committed_cast.dot, committed_cast.eve]

    async def session():
        async def of(person, number):
            async with connected(service, person.token, mode=mode) as client:
                kept = await told(client, "remember", content=f"fact {number} of {person.user.id}")
                again = await told(client, "read", node_id=kept["id"])
                return kept["content"] == again["content"] == f"fact {number} of {person.user.id}"

        async with connected(service, committed_cast.ada.token, mode=mode) as shared:
            one = [told(shared, "remember", content=f"parallel {number}") for number in range(50)]
            kept = await asyncio.gather(*one)
            assert sorted(answer["content"] for answer in kept) == sorted(f"parallel {n}" for n in range(50))
            reads = await asyncio.gather(*(told(shared, "read", node_id=answer["id"]) for answer in kept))
            assert [read["content"] for read in reads] == [answer["content"] for answer in kept]
        assert all(await asyncio.gather(*(of(person, n) for person in everybody for n in range(5))))

    asyncio.run(session())


def test_fc52_a_key_revoked_in_the_middle_of_a_session_stops_it(service, committed_cast):
    with acting_for(committed_cast.organization.id):
        key, token = make_key(committed_cast.ada.member, committed_cast.project, actions=[Action.READ])

    def revoke():
        with acting_for(committed_cast.organization.id):
            key.revoked_at = timezone.now()
            key.save(update_fields=["revoked_at"])
        connection.close()  # of the thread that this runs in

    async def session():
        async with connected(service, token, mode="legacy") as client:
            await told(client, "search", query="x")
            await asyncio.to_thread(revoke)
            with pytest.raises(MCPError):
                await client.call_tool("search", {"query": "x"})

    asyncio.run(session())


def test_calls_leave_no_connection_behind(service, committed_cast, superuser, database_name):
    def open_now():
        counted = "SELECT count(*) FROM pg_stat_activity WHERE datname = %s AND usename = 'palimpsest_app'"
        return superuser.execute(counted, [database_name]).fetchone()[0]

    async def many():
        async with connected(service, committed_cast.ada.token) as client:
            for _ in range(10):
                await asyncio.gather(*(client.call_tool("search", {"query": "x"}) for _ in range(16)))

    asyncio.run(many())
    threads = 2 * 8 + 1  # of the service, and the test's own
    assert open_now() <= threads
