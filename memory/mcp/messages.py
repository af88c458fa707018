"""JSON-RPC around the SDK: what a message has to be before it is carried, and refusals in that form."""

from collections.abc import Mapping
from typing import Any

from mcp_types import INTERNAL_ERROR, INVALID_REQUEST, PARSE_ERROR
from rest_framework.response import Response

from memory.api.formats import ShapeRenderer
from memory.api.problems import problem
from orgs.errors import Invalid


class JsonMessage(ShapeRenderer):
    """Writes one message as JSON; what is written already stays as it is."""

    def render(self, data: Any, *further: Any, **named: Any) -> bytes:
        """Return UTF-8 JSON."""
        return data if isinstance(data, bytes) else super().render(data)


class EventMessage(JsonMessage):
    """Writes one message as the only event of a stream, for clients that take nothing else."""

    media_type = "text/event-stream"
    format = "events"

    def render(self, data: Any, *further: Any, **named: Any) -> bytes:
        """Return the event."""
        return b"event: message\ndata: " + super().render(data) + b"\n\n"


def checked(message: object) -> Mapping[str, Any]:
    """Return a JSON-RPC request or notification, or raise Invalid; the SDK would say back what was sent."""
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0" or not isinstance(message.get("method"), str):
        raise Invalid("The body must be one JSON-RPC 2.0 request or notification.", field="body")
    if "id" in message and (isinstance(message["id"], bool) or not isinstance(message["id"], str | int)):
        raise Invalid("id must be a text or a whole number.", field="id")
    if not isinstance(message.get("params", {}), dict):
        raise Invalid("params must be an object.", field="params")
    return message


def refused(exception: Exception, context: Mapping[str, Any]) -> Response:
    """Return the response for whatever was raised: REST's problem, as the data of a JSON-RPC error."""
    response = problem(exception, context)
    told = response.data
    code = INTERNAL_ERROR if told["status"] >= 500 else INVALID_REQUEST
    if told.get("field") == "body" and "JSON in" in told.get("detail", ""):
        code = PARSE_ERROR
    error = {"code": code, "message": told.get("detail") or told["title"], "data": told}
    response.data = {"jsonrpc": "2.0", "id": None, "error": error}
    request = context["request"]
    request.accepted_renderer, request.accepted_media_type = JsonMessage(), JsonMessage.media_type
    response.content_type = JsonMessage.media_type
    return response
