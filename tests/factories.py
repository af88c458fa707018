"""Rows for tests, made straight in the tables: the operations that make them in earnest have tests of their own."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import Permission as AuthPermission

from orgs import keys
from orgs.models import ApiKey, Department, MemberGrant, Membership, Organization, Project, User, Workspace, new_id
from orgs.roles import Action, Permission, Role, Visibility
from orgs.tenancy import acting_for


def make_user(name: str = "ada", **fields: Any) -> User:
    """Keep a person whose address nobody else has."""
    return User.objects.create_user(f"{name}-{new_id()}@example.org", name=name.title(), **fields)


def make_organization(name: str = "Organization", **fields: Any) -> Organization:
    """Keep an organization, from within itself."""
    organization = Organization(id=new_id(), name=name, slug=f"o-{new_id()}", **fields)
    with acting_for(organization.id):
        organization.save(force_insert=True)
    return organization


def make_department(organization: Organization, name: str, parent: Department | None = None) -> Department:
    """Keep a department where it belongs in the tree."""
    line = [] if parent is None else [*parent.ancestors, parent.id]
    return Department.objects.create(organization=organization, name=name, parent=parent, ancestors=line)


def make_member(organization: Organization, name: str, role: Role = Role.MEMBER, **fields: Any) -> Membership:
    """Keep a new person with a membership."""
    return Membership.objects.create(organization=organization, user=make_user(name), role=role, **fields)


def make_project(organization: Organization, slug: str) -> Project:
    """Keep a project."""
    return Project.objects.create(organization=organization, slug=slug, name=slug.title())


def make_workspace(project: Project, name: str = "default") -> Workspace:
    """Keep a workspace."""
    return Workspace.objects.create(organization_id=project.organization_id, project=project, name=name)


def make_key(
    owner: Membership, project: Project, *, actions: Iterable[Action] = tuple(Action), **fields: Any
) -> tuple[ApiKey, str]:
    """Keep a key, and return it with its text."""
    minted = keys.mint()
    reach = {"default_visibility": Visibility.PROJECT, "greatest_visibility": Visibility.ORGANIZATION}
    key = ApiKey.objects.create(
        organization_id=owner.organization_id,
        project=project,
        owner=owner,
        name="test",
        public_id=minted.public_id,
        digest=minted.digest(settings.KEY_PEPPER),
        actions=[str(action) for action in actions],
        **(reach | fields),
    )
    return key, minted.text


def make_grants(grants: Iterable[tuple[Membership, Project]], permissions: Iterable[Permission]) -> None:
    """Grant the same permissions to several members, each on one project."""
    named = AuthPermission.objects.filter(codename__in=[f"{permission}_project" for permission in permissions])
    rows = [
        MemberGrant(organization_id=to.organization_id, user_id=to.user_id, permission=one, content_object=on)
        for one in named
        for to, on in grants
    ]
    MemberGrant.objects.bulk_create(rows)


def ids(rows: Iterable[Any]) -> set[UUID]:
    """Collect the ids of rows."""
    return {row.id for row in rows}
