"""What commands are told of a place and a person, looked up."""

from datetime import datetime
from uuid import UUID

from django.core.management.base import CommandError

from orgs.access import caller_for_member
from orgs.caller import Caller
from orgs.errors import Refusal
from orgs.models import Project, User
from orgs.tenancy import acting_for


def project_in(organization_id: UUID, slug: str) -> UUID:
    """Return the id of an organization's project, or raise CommandError."""
    with acting_for(organization_id):
        found = Project.objects.filter(organization_id=organization_id, slug=slug).first()
    if found is None:
        raise CommandError("There is no such project in this organization.")
    return found.id


def member_in(organization_id: UUID, project_id: UUID, email: str, *, now: datetime) -> Caller:
    """Return a member at work in a project, or raise CommandError."""
    user = User.objects.filter(email__iexact=email).first()
    try:
        if user is None:
            raise CommandError("There is no such person.")
        return caller_for_member(user, organization_id, now=now).writing_in(project_id)
    except Refusal as refusal:
        raise CommandError(refusal.detail) from None
