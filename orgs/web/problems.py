"""Every "no" as a page, for browsers: one page for all that is absent, foreign or hidden."""

from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _

from orgs.errors import Refusal
from orgs.web.site import site

MACHINES = ("/v1", "/mcp", "/healthz", "/readyz", "/metrics")
"""What addresses begin with where programs ask and no browser."""


def wants_page(request: HttpRequest) -> bool:
    """Say whether a person's browser asks, and not a program."""
    return not request.path_info.startswith(MACHINES) and "text/html" in request.headers.get("Accept", "")


def refused(request: HttpRequest, refusal: Refusal) -> HttpResponse:
    """Render a refusal; what is unknown looks like an address that does not exist."""
    detail = "" if refusal.status == HTTPStatus.NOT_FOUND else refusal.detail
    return problem_page(request, status=refusal.status, detail=detail)


def problem_page(request: HttpRequest, *, status: int, detail: str = "") -> HttpResponse:
    """Render a problem, within the pages' frame for whoever is signed in."""
    title, advice = _words(status)
    context: dict[str, Any] = {"title": title, "advice": advice, "detail": detail, "status": status}
    # A fault may be the database's: then no question is put to it.
    if status < HTTPStatus.INTERNAL_SERVER_ERROR and hasattr(request, "user"):
        context = {**site.each_context(request), **context}
    framed = bool(context.get("has_permission"))
    template = "orgs/problem.html" if framed else "orgs/problem_for_guests.html"
    response = TemplateResponse(request, template, context, status=status)
    return response.render()


def csrf_failed(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a form whose proof of origin is missing (Django's CSRF_FAILURE_VIEW)."""
    return problem_page(
        request, status=403, detail=_("The form has expired or came from elsewhere. Go back, reload and try again.")
    )


def _words(status: int) -> tuple[str, str]:
    words = {
        400: (_("This request cannot be read"), _("Go back and check what was entered.")),
        403: (_("This is not allowed for you"), _("Someone who manages the project can give you the permission.")),
        405: (_("This address takes forms alone"), _("Go back to the page and use its button.")),
        404: (_("There is no such page here"), _("It may never have been here, or it is not for you to see.")),
        500: (_("The service made a mistake"), _("Nothing was stored. Try again in a moment.")),
        503: (_("This is not available at the moment"), _("Nothing was stored. Try again in a moment.")),
    }
    return words.get(status, (_("This cannot be done"), _("Go back and check what was entered.")))
