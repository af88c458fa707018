"""What commands are told of an organization, looked up."""

from uuid import UUID

from django.core.management.base import CommandError

from orgs.operations.organizations import organization_named


def organization_called(slug: str) -> UUID:
    """Return the id of the organization of this short name, or raise CommandError: the type of an argument."""
    organization_id = organization_named(slug)
    if organization_id is None:
        raise CommandError("There is no such organization.")
    return organization_id
