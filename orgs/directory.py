"""What pages list of an organization: projects, keys, and names for ids. Every list is the caller's own view."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from orgs.caller import Caller
from orgs.models import ApiKey, Department, Project, User
from orgs.roles import DUTIES, Duty, Permission
from orgs.tenancy import acting_for


@dataclass(frozen=True, slots=True)
class NamedProject:
    """A project as pages name it."""

    id: UUID
    slug: str
    name: str


@dataclass(frozen=True, slots=True)
class ListedKey:
    """A key as a list shows it: its public part, never its secret."""

    id: UUID
    name: str
    public_id: str
    owner: str
    actions: tuple[str, ...]
    workspaces: tuple[str, ...]
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None
    last_used_at: datetime | None
    is_live: bool


@dataclass(frozen=True, slots=True)
class Origin:
    """The names behind a record; empty where the caller may not know them, or nobody stands there."""

    project: str = ""
    author: str = ""
    department: str = ""
    key: str = ""


def projects_of(caller: Caller) -> list[NamedProject]:
    """List the projects whose records the caller may read, by name."""
    with acting_for(caller.organization_id):
        rows = Project.objects.filter(organization_id=caller.organization_id, id__in=caller.readable_projects)
        return [NamedProject(row.id, row.slug, row.name) for row in rows.order_by("name", "id")]


def keys_of(caller: Caller, project_id: UUID, *, now: datetime) -> list[ListedKey]:
    """List the keys of a project that the caller has a say over: all for its managers, else the caller's own."""
    with acting_for(caller.organization_id):
        keys = ApiKey.objects.filter(organization_id=caller.organization_id, project_id=project_id)
        if not _manages_keys(caller, project_id):
            keys = keys.filter(owner__user_id=caller.user_id)
        return [_listed(key, now=now) for key in keys.select_related("owner__user").order_by("-created_at", "-id")]


def origin(
    caller: Caller, *, project_id: UUID, author_id: UUID | None, department_id: UUID | None, key_id: UUID | None
) -> Origin:
    """Name where a record that the caller may see came from. Needs the organization's transaction."""
    here = {"organization_id": caller.organization_id}
    own = project_id in caller.readable_projects
    return Origin(
        project=_name(Project.objects.filter(**here, id=project_id).values_list("name", flat=True)) if own else "",
        author=name_of_member(caller, author_id),
        department=_name(
            Department.objects.filter(**here, id__in=_given(department_id)).values_list("name", flat=True)
        ),
        key=_name(ApiKey.objects.filter(**here, id__in=_given(key_id)).values_list("name", flat=True)) if own else "",
    )


def name_of_member(caller: Caller, user_id: UUID | None) -> str:
    """Name a member of the caller's organization, or nobody. Needs the organization's transaction."""
    found = User.objects.filter(id__in=_given(user_id), memberships__organization_id=caller.organization_id).first()
    return found.get_full_name() if found else ""


def _manages_keys(caller: Caller, project_id: UUID) -> bool:
    trusted = Duty.KEYS in DUTIES[caller.role] or caller.may(Permission.MANAGE, project_id=project_id)
    return caller.key_id is None and trusted


def _listed(key: ApiKey, *, now: datetime) -> ListedKey:
    return ListedKey(
        id=key.id,
        name=key.name,
        public_id=key.public_id,
        owner=key.owner.user.get_full_name(),
        actions=tuple(key.actions),
        workspaces=() if key.every_workspace else tuple(key.workspaces),
        created_at=key.created_at,
        expires_at=key.expires_at,
        revoked_at=key.revoked_at,
        last_used_at=key.last_used_at,
        is_live=key.is_live(now),
    )


def _name(names: Iterable[str]) -> str:
    return next(iter(names), "")


def _given(id: UUID | None) -> list[UUID]:
    return [] if id is None else [id]
