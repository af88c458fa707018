"""What unfold asks about its sidebar (named in the settings)."""

from django.http import HttpRequest

from orgs.roles import Permission
from orgs.web.visiting import visit_if_any


def place(request: HttpRequest) -> str:
    """Say where the member is looking: organization and project."""
    visit = visit_if_any(request)
    if visit is None:
        return ""
    return " · ".join(place.name for place in (visit.organization, visit.project) if place)


def may_write(request: HttpRequest) -> bool:
    """Say whether to offer writing."""
    visit = visit_if_any(request)
    return visit is not None and visit.may(Permission.WRITE)


def looks_into_a_project(request: HttpRequest) -> bool:
    """Say whether to offer what belongs to a project."""
    visit = visit_if_any(request)
    return visit is not None and visit.project is not None
