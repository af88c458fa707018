"""Permissions granted on projects, kept as object permissions of django-guardian in tables of our own.

The only module, beside those tables, that knows guardian. Grants are read once a call, into the caller, and
never through `has_perm`: a superuser or a global permission opens nothing here.
"""

from collections.abc import Iterable
from uuid import UUID

from django.db import connection

from orgs.models import Department, DepartmentGrant, MemberGrant, Membership, Project
from orgs.roles import Permission

_SUFFIX = "_project"


def granted(
    *, organization_id: UUID, user_id: UUID, departments: Iterable[UUID], project_id: UUID | None = None
) -> dict[UUID, set[Permission]]:
    """Collect what was granted to a member and to any of these departments, per project: one query.

    `departments` are the member's own and those above it: a grant to a department holds for all below.
    """
    found: dict[UUID, set[Permission]] = {}
    with connection.cursor() as cursor:
        # A function in the database, since this runs on every call: migration orgs.0003_standing.
        cursor.execute(
            "SELECT project_id, codename FROM orgs_granted(%s, %s, %s, %s)",
            [organization_id, user_id, list(departments), project_id],
        )
        for project, codename in cursor.fetchall():
            found.setdefault(project, set()).add(Permission(codename.removesuffix(_SUFFIX)))
    return found


def grant(permission: Permission, *, on: Project, to: Membership | Department) -> None:
    """Keep a grant; granting twice is granting once."""
    if isinstance(to, Membership):
        MemberGrant.objects.assign_perm(permission + _SUFFIX, to.user, on)
    else:
        DepartmentGrant.objects.assign_perm(permission + _SUFFIX, to, on)


def withdraw(permission: Permission, *, on: Project, to: Membership | Department) -> None:
    """Take a grant back; there need not have been one."""
    if isinstance(to, Membership):
        MemberGrant.objects.remove_perm(permission + _SUFFIX, to.user, on)
    else:
        DepartmentGrant.objects.remove_perm(permission + _SUFFIX, to, on)


def withdraw_all(membership: Membership) -> None:
    """Take back every grant of one member, who leaves."""
    MemberGrant.objects.filter(organization_id=membership.organization_id, user_id=membership.user_id).delete()
