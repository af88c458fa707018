"""Whose eyes a record is for, read from the tables for `memory.audience`."""

from uuid import UUID

from memory.audience import Audience
from memory.models import Record
from orgs.models import Department, Membership
from orgs.roles import REACHES_DEPARTMENTS, Visibility


def audience_of(record: Record) -> Audience:
    """Return who sees a record at present. Needs the organization's transaction."""
    home = None
    if record.author_id:
        own = Membership.objects.filter(organization_id=record.organization_id, user_id=record.author_id)
        home = own.filter(role__in=REACHES_DEPARTMENTS).values_list("department_id", flat=True).first()
    return Audience(
        project_id=record.project_id,
        workspace_id=record.workspace_id,
        visibility=Visibility(record.visibility),
        author_id=record.author_id,
        department_id=record.department_id,
        above=_above(record.organization_id, record.department_id),
        authors=frozenset({home, *_above(record.organization_id, home)}) if home else frozenset(),
    )


def _above(organization_id: UUID, department_id: UUID | None) -> frozenset[UUID]:
    if department_id is None:
        return frozenset()
    places = Department.objects.filter(organization_id=organization_id, id=department_id)
    return frozenset(places.values_list("ancestors", flat=True).first() or ())
