"""One HTTP exchange carried through the SDK's transport, from a synchronous view.

The service is synchronous and served by threads; the SDK is asynchronous. Each request gets a small event loop of its
own for as long as it lasts, and tools run back in the thread that serves it (asgiref's `async_to_sync`). So all that is
around a request, its connection, its transactions, its log, is what it is for REST; any number of processes may serve,
and no state is left for a next one.
"""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from asgiref.sync import async_to_sync
from django.conf import settings
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from memory.mcp.asked import Asked
from memory.mcp.server import ASKED, SERVER

VERSION_HEADER = "mcp-protocol-version"
_ALWAYS = {"content-type": "application/json", "accept": "application/json, text/event-stream"}


@dataclass(slots=True)
class _Exchange:
    """The two ends of an ASGI exchange."""

    body: bytes
    status: int = 500
    parts: list[bytes] = field(default_factory=list)
    read: bool = False

    async def receive(self) -> dict[str, Any]:
        """Give the body once; after that the client stays until it has its answer."""
        if self.read:
            await asyncio.Event().wait()
        self.read = True
        return {"type": "http.request", "body": self.body, "more_body": False}

    async def send(self, message: Any) -> None:
        """Take the answer's status, and its parts."""
        self.status = message.get("status", self.status)
        self.parts.append(message.get("body", b""))


def carry(asked: Asked, message: Mapping[str, Any], headers: Mapping[str, str]) -> tuple[int, bytes]:
    """Return the status and the body, JSON or empty, that answer one message."""
    kept = {name.lower(): value for name, value in headers.items() if name.lower().startswith("mcp-")}
    if message.get("method") == "initialize" and kept.get(VERSION_HEADER) not in HANDSHAKE_PROTOCOL_VERSIONS:
        kept.pop(VERSION_HEADER, None)  # which version is spoken is what the two are about to agree on
    scope = {
        "type": "http",
        "method": "POST",
        "path": "/mcp",
        "query_string": b"",
        "headers": [(name.encode(), value.encode("latin-1", "replace")) for name, value in {**kept, **_ALWAYS}.items()],
        ASKED: asked,
    }
    exchange = _Exchange(json.dumps(message).encode())  # as we have read it, so that both read the same
    async_to_sync(_through_the_sdk)(scope, exchange)
    return exchange.status, b"".join(exchange.parts)


async def _through_the_sdk(scope: dict[str, Any], exchange: _Exchange) -> None:
    manager = StreamableHTTPSessionManager(
        SERVER, json_response=True, stateless=True, max_request_body_size=settings.MAX_BODY_BYTES
    )
    async with manager.run():
        await manager.handle_request(scope, exchange.receive, exchange.send)
