"""The site of the web admin: unfold's, open to members."""

from typing import Any

from django.http import HttpRequest
from django.urls import URLPattern, URLResolver
from unfold.sites import UnfoldAdminSite

from orgs.web.signing_in import SignInForm
from orgs.web.visiting import visit_if_any

_KEPT = frozenset({"index", "login", "logout", "password_change", "password_change_done", "jsi18n"})


class MemberSite(UnfoldAdminSite):  # type: ignore[misc]
    """Asks membership where Django's admin asks for an operator. Who may do what, each page's call decides."""

    login_form = SignInForm
    final_catch_all_view = False
    enable_nav_sidebar = True

    def has_permission(self, request: HttpRequest) -> bool:
        """Let in whoever is a member of an organization now."""
        return visit_if_any(request) is not None

    def get_urls(self) -> list[URLPattern | URLResolver]:
        """Keep the addresses that pages use; the rest of Django's admin reads tables without a caller."""
        return [pattern for pattern in super().get_urls() if getattr(pattern, "name", None) in _KEPT]

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        """Add the visit, and take out the inline style of colours: a stylesheet has them."""
        return {**super().each_context(request), "visit": visit_if_any(request), "colors": None}


site = MemberSite(name="admin")  # unfold's templates look for this name
