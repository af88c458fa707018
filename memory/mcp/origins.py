"""Pages in a browser: ours may call, those of sites named by MCP_ORIGINS may, and no others."""

from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers
from django.views.decorators.csrf import csrf_exempt

from orgs.errors import Forbidden

View = Callable[..., HttpResponseBase]
_TAKEN = (
    "Authorization, Content-Type, Idempotency-Key, MCP-Protocol-Version, Mcp-Method, Mcp-Name, X-API-Key, X-Request-Id"
)
_SHOWN = "WWW-Authenticate, X-Request-Id"


def refuse_foreign_origin(origin: str | None) -> None:
    """Raise Forbidden for a page of another site: its reader's browser may reach us where the site itself can't."""
    if origin is not None and origin not in {_own(), *settings.MCP_ORIGINS}:
        raise Forbidden("Pages of this origin may not call here.", hint="The setting MCP_ORIGINS names those that may.")


def open_to_named_pages(view: View) -> View:
    """Let browsers know that pages of the named sites may call (CORS), by asking first and by reading the answer."""

    def answer(request: HttpRequest, **place: Any) -> HttpResponseBase:
        origin = request.headers.get("Origin")
        if origin not in settings.MCP_ORIGINS:
            return view(request, **place)
        if request.method == "OPTIONS":
            response: HttpResponseBase = HttpResponse(status=204, content_type="application/json")
            response["Access-Control-Allow-Methods"], response["Access-Control-Allow-Headers"] = "POST", _TAKEN
        else:
            response = view(request, **place)
        response["Access-Control-Allow-Origin"], response["Access-Control-Expose-Headers"] = origin, _SHOWN
        patch_vary_headers(response, ["Origin"])
        return response

    return csrf_exempt(answer)


def _own() -> str:
    parts = urlsplit(settings.PUBLIC_URL)
    return f"{parts.scheme}://{parts.netloc}"
