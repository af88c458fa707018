"""/mcp: a message comes in by POST, and its answer goes out in the same exchange."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from memory.api.asking import CALLED, caller_of
from memory.api.formats import StrictJSONParser
from memory.api.problems import REQUEST_ID
from memory.mcp.asked import Asked, Surface, narrowed
from memory.mcp.carrying import carry
from memory.mcp.messages import EventMessage, JsonMessage, checked, refused
from memory.mcp.origins import refuse_foreign_origin
from orgs.authentication import CHALLENGE, KeyAuthentication
from orgs.errors import Invalid

METADATA = "/.well-known/oauth-protected-resource"


class Endpoint(APIView):
    """The Model Context Protocol over streamable HTTP, without sessions: GET and DELETE have nothing to do here."""

    http_method_names = ["post"]
    schema = None  # no part of the OpenAPI document: its own `tools/list` describes it
    authentication_classes = (KeyAuthentication,)
    parser_classes = (StrictJSONParser,)
    renderer_classes = (JsonMessage, EventMessage)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Refuse what a foreign page sends through somebody's browser, before anything else is looked at."""
        refuse_foreign_origin(request.headers.get("Origin"))
        super().initial(request, *args, **kwargs)

    def post(self, request: Request, project: str | None = None, workspace: str | None = None) -> HttpResponse:
        """Answer one message."""
        caller = caller_of(request)
        surface = surface_of(request)
        message = checked(request.data)
        request.META[CALLED] = told = {"verb": "mcp"}
        asked = Asked(
            caller=narrowed(caller, project=project, workspace=workspace),
            workspace=workspace,
            surface=surface,
            request_id=request.META.get(REQUEST_ID, ""),
            idempotency_key=request.headers.get("Idempotency-Key"),
            told=told,
        )
        status, body = carry(asked, message, request.headers)
        if not body:
            return HttpResponse(status=status, content_type=JsonMessage.media_type)
        return Response(body, status=status)

    def get_exception_handler(self) -> Any:
        """Tell refusals as JSON-RPC errors."""
        return told_to_agents


def told_to_agents(exception: Exception, context: Any) -> Response:
    """Return the response for whatever was raised; who needs a key is told where keys are described."""
    response = refused(exception, context)
    if response.status_code == 401:
        response["WWW-Authenticate"] = f'{CHALLENGE}, resource_metadata="{settings.PUBLIC_URL}{METADATA}/mcp"'
    return response


def surface_of(request: Request) -> Surface:
    """Return which tools the address asks to be listed; raise Invalid for another one or another parameter."""
    asked = request.query_params.lists()
    if any(name != "surface" or len(values) > 1 for name, values in asked):
        raise Invalid("The address takes one parameter, surface; a key goes into a header.", field="query")
    try:
        return Surface(request.query_params.get("surface", Surface.CORE))
    except ValueError:
        raise Invalid(f"surface must be one of {', '.join(Surface)}.", field="surface") from None


@require_safe
def metadata(request: HttpRequest, rest: str = "") -> HttpResponse:
    """Describe the resource (RFC 9728): keys in the header, issued by people of the organization and by no server."""
    return JsonResponse(
        {
            "resource": f"{settings.PUBLIC_URL}/mcp",
            "resource_name": "Palimpsest",
            "bearer_methods_supported": ["header"],
            "resource_documentation": f"{settings.PUBLIC_URL}/v1/docs",
        }
    )
