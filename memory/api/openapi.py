"""How the OpenAPI document reads our views, and names the ways to sign a call."""

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema


class DeclaredSchema(AutoSchema):
    """An answer is what was declared: the framework would make an array of whatever a method named `list` answers."""

    def _is_list_view(self, serializer: Any = None) -> bool:
        """Say no: our shapes name the lists that they hold."""
        return False


class KeyScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """An API key as a bearer token."""

    target_class = "orgs.authentication.KeyAuthentication"
    name = "key"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        """Return the scheme."""
        return {"type": "http", "scheme": "bearer", "description": "An API key: pal_…"}


class MemberScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """A member's session in the browser."""

    target_class = "orgs.authentication.MemberAuthentication"
    name = "session"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        """Return the scheme."""
        return {"type": "apiKey", "in": "cookie", "name": "sessionid"}
