"""Who is looking at pages, in which organization and project: found once a request, from the session."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeVar
from uuid import UUID

from django.http import HttpRequest
from django.utils import timezone

from orgs.access import caller_for_member
from orgs.authentication import CALLER, ORGANIZATION_IN_SESSION
from orgs.caller import Caller
from orgs.directory import NamedProject, projects_of
from orgs.errors import Refusal, Unauthenticated, Unknown
from orgs.models import User
from orgs.queries import Belonging, organizations_of
from orgs.roles import Permission

PROJECT_IN_SESSION = "project_id"
_KEPT = "_palimpsest_visit"
Place = TypeVar("Place", Belonging, NamedProject)


@dataclass(frozen=True, slots=True)
class Visit:
    """A member at work. `caller` holds every project of theirs and writes in the chosen one."""

    caller: Caller
    organization: Belonging
    organizations: list[Belonging]
    projects: list[NamedProject]
    project: NamedProject | None
    now: datetime

    @property
    def looking(self) -> Caller:
        """Give the caller narrowed to the chosen project: what a list shows while one looks into it."""
        if self.project is None:
            return self.caller
        held = self.caller.projects[self.project.id]
        return replace(self.caller, projects={self.project.id: held})

    def holding(self, permission: Permission) -> Caller:
        """Give the caller where it holds the permission: in the chosen project rather than in another."""
        if self.caller.may(permission):
            return self.caller
        for project_id, held in self.caller.projects.items():
            if permission in held:
                return self.caller.writing_in(project_id)
        return self.caller

    def may(self, permission: Permission) -> bool:
        """Say whether the member may do this in the chosen project."""
        return self.caller.may(permission)


def visit_of(request: HttpRequest) -> Visit:
    """Return the visit of a signed-in member, or raise Unauthenticated; looked up once a request."""
    visit = visit_if_any(request)
    if visit is None:
        raise Unauthenticated
    return visit


def visit_if_any(request: HttpRequest) -> Visit | None:
    """Return the visit, or nothing for guests and for people whom nothing lets in any more."""
    if not hasattr(request, _KEPT):
        visit = _found(request) if isinstance(request.user, User) and request.user.is_active else None
        setattr(request, _KEPT, visit)
        if visit is not None:
            request.META[CALLER] = visit.caller
    kept: Visit | None = getattr(request, _KEPT)
    return kept


def choose(request: HttpRequest, *, organization_id: UUID, project_id: UUID | None) -> None:
    """Keep in the session where the member works from now on, or raise Unknown for a place that is not theirs."""
    visit = visit_of(request)
    if organization_id not in {one.id for one in visit.organizations}:
        raise Unknown("There is no such organization here.")
    if organization_id == visit.organization.id and project_id not in {None, *(one.id for one in visit.projects)}:
        raise Unknown("There is no such project here.")
    request.session[ORGANIZATION_IN_SESSION] = str(organization_id)
    if project_id is None:
        request.session.pop(PROJECT_IN_SESSION, None)
    else:
        request.session[PROJECT_IN_SESSION] = str(project_id)
    delattr(request, _KEPT)


def _found(request: HttpRequest) -> Visit | None:
    now = timezone.now()
    organizations = organizations_of(request.user, now=now)  # type: ignore[arg-type]
    organization = _chosen(organizations, request.session.get(ORGANIZATION_IN_SESSION))
    if organization is None:
        return None
    try:
        caller = caller_for_member(request.user, organization.id, now=now)  # type: ignore[arg-type]
    except Refusal:
        return None  # stopped between the two looks
    if request.session.get(ORGANIZATION_IN_SESSION) != str(organization.id):
        request.session[ORGANIZATION_IN_SESSION] = str(organization.id)  # the REST door reads the same word
    projects = projects_of(caller)
    project = _chosen(projects, request.session.get(PROJECT_IN_SESSION))
    if project is not None:
        caller = caller.writing_in(project.id)
    return Visit(caller, organization, organizations, projects, project, now)


def _chosen(places: list[Place], id: str | None) -> Place | None:
    """Return the place of this id, or else the first one."""
    named = (place for place in places if str(place.id) == id)
    return next(named, places[0] if places else None)
