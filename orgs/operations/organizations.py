"""Making an organization and setting its policies."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection

from orgs.audit import note, note_in
from orgs.caller import Caller
from orgs.errors import Invalid
from orgs.models import Membership, Organization, User, new_id
from orgs.operations.asking import one_of_a_kind, organization_locked, require_duty
from orgs.operations.naming import checked_name, checked_slug
from orgs.roles import Duty, Role, Visibility
from orgs.tenancy import acting_for

_VISIBILITIES = ("default_visibility_of_people", "default_visibility_of_keys", "greatest_visibility_of_keys")
_POLICIES = frozenset({*_VISIBILITIES, "members_may_widen"})


def create_organization(*, name: str, slug: str, owner: User, now: datetime, is_personal: bool = False) -> Membership:
    """Make an organization with its first owner, whose membership is returned; raise Clash for a taken slug.

    The operator or the sign-up page does this: there is no caller yet.
    """
    organization = Organization(
        id=new_id(), name=checked_name(name), slug=checked_slug(slug), is_personal=is_personal, created_at=now
    )
    with acting_for(organization.id):
        with one_of_a_kind("slug", "This short name is taken."):
            organization.save(force_insert=True)
        member = Membership.objects.create(organization=organization, user=owner, role=Role.OWNER, created_at=now)
        note_in(
            organization.id,
            verb="organization.create",
            object_type="organization",
            object_id=organization.id,
            user_id=owner.id,
            now=now,
        )
    return member


def organization_named(slug: str) -> UUID | None:
    """Find an organization's id by its short name: for operators, before any organization is set."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT organization_id FROM orgs_organization_named(%s)", [slug])
        row = cursor.fetchone()
    return row[0] if row else None


def change_policies(by: Caller, *, now: datetime, **policies: Any) -> Organization:
    """Set some of the organization's policies on visibility; raise Invalid for what is none."""
    require_duty(by, Duty.POLICIES)
    if unknown := policies.keys() - _POLICIES:
        raise Invalid("There is no such policy.", field=min(unknown))
    for field in _VISIBILITIES:
        if field in policies and policies[field] not in set(Visibility):
            raise Invalid("This is not a visibility.", field=field)
    with acting_for(by.organization_id):
        organization = organization_locked(by)
        before = {field: getattr(organization, field) for field in policies}
        for field, value in policies.items():
            setattr(organization, field, value)
        organization.save(update_fields=list(policies))
        note(
            by,
            verb="organization.policies",
            object_type="organization",
            object_id=organization.id,
            now=now,
            details={"before": before, "after": policies},
        )
    return organization
