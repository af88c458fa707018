"""The addresses of the door: with and without a slash, since a redirect would lose the body or the key."""

from django.urls import path

from memory.mcp.endpoint import Endpoint, metadata
from memory.mcp.origins import open_to_named_pages

_endpoint = open_to_named_pages(Endpoint.as_view())

urlpatterns = [
    *(path(f"mcp{end}", _endpoint, name="mcp") for end in ("", "/")),
    *(path(f"mcp/<str:project>{end}", _endpoint, name="mcp") for end in ("", "/")),
    *(path(f"mcp/<str:project>/<str:workspace>{end}", _endpoint, name="mcp") for end in ("", "/")),
    path(".well-known/oauth-protected-resource", metadata, name="mcp_metadata"),
    path(".well-known/oauth-protected-resource/<path:rest>", metadata, name="mcp_metadata"),
]
