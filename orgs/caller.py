"""Caller: who is asking, as one frozen value, made once at the door and carried everywhere.

Pure: no framework is imported here. What is not held is an empty set, never None: two callers without
a department are not colleagues.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from uuid import UUID

from orgs.errors import Forbidden, Unknown
from orgs.roles import NO_PERMISSION, Permission, Role, Visibility


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Calls a minute of the key and of its whole organization, and records of the organization; None: no limit."""

    calls_of_key: int | None = None
    calls_of_organization: int | None = None
    records: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """A member, or a key acting for the member who owns it; permissions are looked up already.

    `reachable_departments`: departments whose records the caller may see (own and those above; for a head
    also those below). `projects`: what may be done where; for a key its one project only. `project_id`:
    where the caller writes. `workspaces`: the only ones a key knows, by name, unless `every_workspace`.
    """

    organization_id: UUID
    user_id: UUID
    role: Role
    key_id: UUID | None
    home_department_id: UUID | None
    reachable_departments: frozenset[UUID]
    projects: Mapping[UUID, frozenset[Permission]]
    project_id: UUID | None
    workspaces: frozenset[str]
    every_workspace: bool
    reads_organization: bool
    default_visibility: Visibility
    greatest_visibility: Visibility
    limits: Limits = Limits()

    @property
    def readable_projects(self) -> frozenset[UUID]:
        """Name the projects whose records the caller may see, as far as each record's visibility goes."""
        return frozenset(project for project, held in self.projects.items() if Permission.VIEW in held)

    @property
    def writes_in(self) -> UUID:
        """Name the project that the caller writes in; raise Unknown if it has not said."""
        if self.project_id is None:
            raise Unknown("Say in which project to write.", field="project")
        return self.project_id

    def may(self, permission: Permission, *, project_id: UUID | None = None) -> bool:
        """Say whether the caller holds the permission, in that project or else where it writes."""
        place = project_id or self.project_id
        return place is not None and permission in self.projects.get(place, NO_PERMISSION)

    def require(self, permission: Permission, *, project_id: UUID | None = None) -> None:
        """Let the caller pass, or raise Forbidden naming the permission that is missing."""
        if not self.may(permission, project_id=project_id):
            raise Forbidden(
                f"The permission “{permission}” is needed for this.",
                data={"permission": permission},
            )

    def knows_workspace(self, name: str) -> bool:
        """Say whether a workspace of this name may exist for the caller."""
        return self.every_workspace or name in self.workspaces

    def writing_in(self, project_id: UUID) -> "Caller":
        """Give the same caller, writing in another of its projects; raise Unknown if it has no part there."""
        if not self.projects.get(project_id):
            raise Unknown("There is no such project here.", field="project")
        return replace(self, project_id=project_id)
