"""What every tenant table has: a time-ordered id, its organization, and the wall around it."""

from typing import Any, ClassVar
from uuid import UUID

from django.db import models
from uuid_utils.compat import uuid7

from orgs.tenancy import TenantPolicy


def new_id() -> UUID:
    """Make a time-ordered id (UUIDv7)."""
    return uuid7()


class TenantModel(models.Model):
    """A row of one organization. Inherit Meta, and add to `constraints` rather than replacing them."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    organization = models.ForeignKey("orgs.Organization", on_delete=models.CASCADE, related_name="+")

    class Meta:
        abstract = True
        constraints: ClassVar[list[Any]] = [
            # Composite foreign keys point here; a distributed database asks for it too.
            models.UniqueConstraint(
                fields=["organization", "id"],
                name="%(app_label)s_%(class)s_in_organization",
            ),
            TenantPolicy(name="%(app_label)s_%(class)s_of_organization"),
        ]
