"""What pages and other parts ask about organizations."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import connection

from orgs import audit_chain, standing
from orgs.models import AuditEvent, Organization, User
from orgs.roles import Role
from orgs.tenancy import acting_for


@dataclass(frozen=True, slots=True)
class Belonging:
    """An organization that a person can work in now."""

    id: UUID
    slug: str
    name: str
    role: Role


def organizations_of(user: User, *, now: datetime) -> list[Belonging]:
    """List the organizations in which the person is a member that nothing stops, the oldest first."""
    found = []
    for organization_id in _ids("SELECT organization_id FROM orgs_organizations_of(%s)", user.id):
        with acting_for(organization_id):
            held = standing.of_member(organization_id, user.id)
            if held is not None and held.stopped_by(now) is None:
                organization = Organization.objects.get(id=organization_id)
                found.append(Belonging(organization_id, organization.slug, organization.name, Role(held.role)))
    return found


def every_organization() -> list[UUID]:
    """List every organization's id: for operators and sweepers, which then act for one after the other."""
    return _ids("SELECT organization_id FROM orgs_every_organization()")


def audit_chain_of(organization_id: UUID) -> audit_chain.Chain:
    """Walk an organization's audit log from its first event, hashing each anew."""
    with acting_for(organization_id):
        events = AuditEvent.objects.filter(organization_id=organization_id).order_by("number")
        return audit_chain.walk(events.iterator(chunk_size=1000))


def _ids(query: str, *values: UUID | str) -> list[UUID]:
    with connection.cursor() as cursor:
        cursor.execute(query, values)
        return [row[0] for row in cursor.fetchall()]
