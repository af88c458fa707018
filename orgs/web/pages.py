"""What every page of the web admin is: a view for members that renders within unfold's frame."""

from collections.abc import Callable
from typing import Any, ClassVar

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.functional import Promise
from django.views import View

from orgs.errors import Refusal
from orgs.web.problems import problem_page, refused
from orgs.web.site import site
from orgs.web.visiting import Visit, visit_of


class Page(View):
    """A page: it parses, makes one call for the visit's caller, and renders. Refusals become pages here alone."""

    template: ClassVar[str] = ""
    title: ClassVar[str | Promise] = ""

    @property
    def visit(self) -> Visit:
        """Return who is looking."""
        return visit_of(self.request)

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Answer the request, or render the refusal."""
        try:
            return super().dispatch(request, *args, **kwargs)
        except Refusal as refusal:
            return refused(request, refusal)

    def http_method_not_allowed(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Say that the address of a button was opened as if it were a page."""
        response = problem_page(request, status=405)
        response["Allow"] = ", ".join(self._allowed_methods())  # type: ignore[attr-defined]
        return response

    def rendered(self, *, status: int = 200, template: str = "", **context: Any) -> HttpResponse:
        """Return the page, or another template in its place, with what the frame needs."""
        self.request.current_app = site.name
        framed = {**site.each_context(self.request), "title": self.title, **context}
        return TemplateResponse(self.request, template or self.template, framed, status=status)


def page(route: str, view: type[Page], *, name: str) -> URLPattern:
    """Return the address of a page: members only, never cached, forms protected."""
    members_only: Callable[..., HttpResponse] = site.admin_view(view.as_view())
    return path(route, members_only, name=name)
