"""The page on which one chooses the organization and the project to look into."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from orgs.errors import Unknown
from orgs.web.pages import Page
from orgs.web.visiting import choose, visit_of


class Places(Page):
    """Everywhere the member may work; the choice is kept in the session."""

    template = "orgs/places.html"
    title = gettext_lazy("Where to work")

    def get(self, request: HttpRequest) -> HttpResponse:
        """Show the places."""
        return self.rendered(visit=self.visit)

    def post(self, request: HttpRequest) -> HttpResponse:
        """Keep the choice and go to the first page."""
        organization = _id(request.POST.get("organization", ""))
        project = request.POST.get("project")
        choose(request, organization_id=organization, project_id=_id(project) if project else None)
        visit = visit_of(request)
        place = visit.project.name if visit.project else visit.organization.name
        messages.success(request, _("You are now looking into %(place)s.") % {"place": place})
        return redirect("memory:search")


def _id(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise Unknown("There is no such place here.") from None
