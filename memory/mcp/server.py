"""The official SDK's server, with our handlers. It speaks the protocol; what is done is done by the verbs."""

from typing import Any, cast

from asgiref.sync import sync_to_async
from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
)

from memory.mcp import tools
from memory.mcp.asked import Asked
from memory.mcp.wording import INSTRUCTIONS

Context = ServerRequestContext[Any, Any]
VERSION = "0.1.0"
ASKED = "palimpsest.asked"
"""Where the scope of an exchange keeps what was asked."""
_LISTS = CacheHint(ttl_ms=300_000, scope="private")


def asked_in(context: Context) -> Asked:
    """Return the request that is being answered."""
    return cast("Asked", cast("Any", context.request).scope[ASKED])


async def list_tools(context: Context, _: PaginatedRequestParams | None) -> ListToolsResult:
    """Answer the tools of the surface that was asked for."""
    return ListToolsResult(tools=tools.listed(asked_in(context).surface))


async def call_tool(context: Context, params: CallToolRequestParams) -> CallToolResult:
    """Call a tool in the thread that serves the request: there is its database connection."""
    return await sync_to_async(tools.call)(asked_in(context), params.name, params.arguments or {})


SERVER: Server[Any] = Server(
    "palimpsest",
    version=VERSION,
    title="Palimpsest",
    description="Shared memory for teams of people and AI agents.",
    instructions=INSTRUCTIONS,
    cache_hints={"tools/list": _LISTS},
    on_list_tools=list_tools,
    on_call_tool=call_tool,
)
