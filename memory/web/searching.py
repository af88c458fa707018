"""The first page: search."""

from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy

from memory.protocol.parsing import parse
from memory.protocol.shapes import Filters, SearchAnswer
from memory.queries import browsing
from memory.verbs import run
from memory.web.forms import PAGE, SearchForm
from orgs.errors import Invalid
from orgs.roles import Permission
from orgs.web.pages import Page


class Search(Page):
    """One box; below it the answers, or the newest records while nothing is asked."""

    template = "memory/search.html"
    title = gettext_lazy("Search")

    def get(self, request: HttpRequest) -> HttpResponse:
        """Answer the question in the address."""
        form, visit = SearchForm(request.GET), self.visit
        if visit.project is None:
            return self.rendered(form=form, nowhere=True)
        workspaces = browsing.workspaces(visit.looking)
        if not form.is_valid():
            return self.rendered(form=form, workspaces=workspaces, problem=_first_error(form), status=400)
        try:
            found = self._found(form)
        except Invalid as refusal:
            return self.rendered(form=form, workspaces=workspaces, problem=refusal.detail, status=400)
        may_write = visit.may(Permission.WRITE)
        return self.rendered(form=form, workspaces=workspaces, asked=form.cleaned_data, may_write=may_write, **found)

    def _found(self, form: SearchForm) -> dict[str, Any]:
        caller, now = self.visit.looking, self.visit.now
        if form.cleaned_data["q"]:
            answer = run("search", caller, form.payload(), now=now).answer
            if not isinstance(answer, SearchAnswer):
                raise LookupError("search answers with records")
            next_page = _address(form, cursor=answer.meta.next_cursor) if answer.meta.next_cursor else ""
            return {
                "records": answer.results,
                "next_page": next_page,
                "by_words": answer.meta.semantic == "unavailable",
            }
        filters = parse(Filters, form.filters())
        if filters.status:
            return {"needs_question": True}
        return {"records": browsing.newest(caller, filters, limit=PAGE, now=now), "newest": True}


def _address(form: SearchForm, *, cursor: str) -> str:
    said = {name: value for name, value in form.cleaned_data.items() if value}
    return "?" + urlencode(said | {"cursor": cursor})


def _first_error(form: SearchForm) -> str:
    return str(next(iter(form.errors.values()))[0])
