"""Projects, and who may do what on them."""

from datetime import datetime
from uuid import UUID

from orgs import grants
from orgs.audit import note
from orgs.caller import Caller
from orgs.errors import Forbidden, Invalid
from orgs.models import Department, Membership, Project
from orgs.operations.asking import found, one_of_a_kind, require_duty, trusted_with
from orgs.operations.naming import checked_name, checked_slug
from orgs.roles import GRANTABLE, Duty, Permission
from orgs.tenancy import acting_for


def create_project(by: Caller, *, name: str, slug: str, now: datetime) -> Project:
    """Make a project; raise Clash for a taken short name."""
    require_duty(by, Duty.STRUCTURE)
    project = Project(
        organization_id=by.organization_id, name=checked_name(name), slug=checked_slug(slug), created_at=now
    )
    with acting_for(by.organization_id):
        with one_of_a_kind("slug", "A project of this short name is there already."):
            project.save(force_insert=True)
        note(
            by,
            verb="project.create",
            object_type="project",
            object_id=project.id,
            now=now,
            details={"slug": project.slug},
        )
    return project


def grant(
    by: Caller,
    permission: Permission,
    *,
    project_id: UUID,
    member_id: UUID | None = None,
    department_id: UUID | None = None,
    now: datetime,
) -> None:
    """Grant a permission on a project to a member, or to a department with all below it."""
    _change(by, permission, project_id, member_id, department_id, give=True, now=now)


def withdraw(
    by: Caller,
    permission: Permission,
    *,
    project_id: UUID,
    member_id: UUID | None = None,
    department_id: UUID | None = None,
    now: datetime,
) -> None:
    """Take a permission back; it ends with the next call."""
    _change(by, permission, project_id, member_id, department_id, give=False, now=now)


def _change(
    by: Caller,
    permission: Permission,
    project_id: UUID,
    member_id: UUID | None,
    department_id: UUID | None,
    *,
    give: bool,
    now: datetime,
) -> None:
    if permission not in GRANTABLE:
        raise Invalid(f"Only these can be granted: {', '.join(GRANTABLE)}.", field="permission")
    if (member_id is None) == (department_id is None):
        raise Invalid("Name either a member or a department.", field="member")
    with acting_for(by.organization_id):
        project = found(Project, project_id, by=by, what="project")
        _require_management(by, project)
        to = _receiver(by, member_id, department_id)
        (grants.grant if give else grants.withdraw)(permission, on=project, to=to)
        note(
            by,
            verb="project.grant" if give else "project.withdraw",
            object_type="project",
            object_id=project.id,
            now=now,
            details={"permission": permission, "member": member_id, "department": department_id},
        )


def _require_management(by: Caller, project: Project) -> None:
    if by.key_id is not None or not (
        trusted_with(by, Duty.STRUCTURE) or by.may(Permission.MANAGE, project_id=project.id)
    ):
        raise Forbidden("Managing the project is needed for this.", data={"permission": Permission.MANAGE})


def _receiver(by: Caller, member_id: UUID | None, department_id: UUID | None) -> Membership | Department:
    if member_id is not None:
        return found(Membership, member_id, by=by, what="member")
    return found(Department, department_id, by=by, what="department")
