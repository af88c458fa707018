"""The official SDK's server, with our handlers. It speaks the protocol; what is done is done by the verbs."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar, cast

from asgiref.sync import sync_to_async
from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    CompleteRequestParams,
    CompleteResult,
    GetPromptRequestParams,
    GetPromptResult,
    ListPromptsResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
)

from memory.mcp import completing, prompts, resources, tools
from memory.mcp.asked import Asked
from memory.mcp.refusing import guarded
from memory.mcp.wording import INSTRUCTIONS

Context = ServerRequestContext[Any, Any]
Done = TypeVar("Done")
VERSION = "0.1.0"
ASKED = "palimpsest.asked"
"""Where the scope of an exchange keeps what was asked."""
IDEMPOTENCY_KEY = "palimpsest/idempotencyKey"
"""Where a call may carry its idempotency key, for clients whose headers are the same for all calls."""
_LISTS = CacheHint(ttl_ms=300_000, scope="private")
_NOW = CacheHint(ttl_ms=0, scope="private")
Paged = PaginatedRequestParams | None


def asked_in(context: Context) -> Asked:
    """Return the request that is being answered."""
    return cast("Asked", cast("Any", context.request).scope[ASKED])


async def list_tools(context: Context, _: Paged) -> ListToolsResult:
    """Answer the tools of the surface that was asked for."""
    return ListToolsResult(tools=tools.listed(asked_in(context).surface))


async def call_tool(context: Context, params: CallToolRequestParams) -> CallToolResult:
    """Call a tool in the thread that serves the request: there is its database connection."""
    asked, key = asked_in(context), (context.meta or {}).get(IDEMPOTENCY_KEY)
    if asked.idempotency_key is None and key is not None:
        asked = replace(asked, idempotency_key=key if isinstance(key, str) else "")  # what is no text is refused
    return await sync_to_async(tools.call)(asked, params.name, params.arguments or {})


async def list_resources(_: Context, __: Paged) -> ListResourcesResult:
    """Answer what can be read by its address."""
    return ListResourcesResult(resources=list(resources.RESOURCES))


async def list_templates(_: Context, __: Paged) -> ListResourceTemplatesResult:
    """Answer how addresses are written."""
    return ListResourceTemplatesResult(resource_templates=list(resources.TEMPLATES))


async def read_resource(context: Context, params: ReadResourceRequestParams) -> ReadResourceResult:
    """Answer what stands at an address."""
    return await _guarded(context, "resource", lambda asked: resources.read(asked, params.uri))


async def list_prompts(_: Context, __: Paged) -> ListPromptsResult:
    """Answer the prompts."""
    return ListPromptsResult(prompts=list(prompts.PROMPTS))


async def get_prompt(context: Context, params: GetPromptRequestParams) -> GetPromptResult:
    """Answer a prompt filled in."""
    return await _guarded(context, "prompt", lambda asked: prompts.get(asked, params.name, params.arguments or {}))


async def complete(context: Context, params: CompleteRequestParams) -> CompleteResult:
    """Answer how an argument may go on."""
    values = await _guarded(context, "completion", lambda asked: completing.complete(asked, params))
    return CompleteResult(completion=values)


async def _guarded(context: Context, called: str, act: Callable[[Asked], Done]) -> Done:
    asked = asked_in(context)
    return await sync_to_async(guarded)(asked, called, lambda: act(asked))


SERVER: Server[Any] = Server(
    "palimpsest",
    version=VERSION,
    title="Palimpsest",
    description="Shared memory for teams of people and AI agents.",
    instructions=INSTRUCTIONS,
    cache_hints={
        "tools/list": _LISTS,
        "prompts/list": _LISTS,
        "resources/list": _LISTS,
        "resources/templates/list": _LISTS,
        "resources/read": _NOW,
    },
    get_tool_input_schema=lambda name: tools.TOOLS[name].input_schema if name in tools.TOOLS else None,
    on_list_tools=list_tools,
    on_call_tool=call_tool,
    on_list_resources=list_resources,
    on_list_resource_templates=list_templates,
    on_read_resource=read_resource,
    on_list_prompts=list_prompts,
    on_get_prompt=get_prompt,
    on_completion=complete,
)
