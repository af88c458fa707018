"""Capability: something a team can do and an agent may be told about by `route`."""

from django.db import models
from uuid_utils.compat import uuid7

from orgs.tenancy import SameOrganization, TenantPolicy


class Capability(models.Model):
    """Registered per project. `when` says in which situation to use it."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    organization = models.ForeignKey("orgs.Organization", db_index=False, on_delete=models.CASCADE, related_name="+")
    project = models.ForeignKey(
        "orgs.Project", db_index=False, db_constraint=False, on_delete=models.CASCADE, related_name="+"
    )
    name = models.CharField(max_length=100)
    description = models.CharField(max_length=1000)
    when = models.CharField(max_length=1000)
    created_at = models.DateTimeField()
    created_by = models.ForeignKey("orgs.User", null=True, db_index=False, on_delete=models.SET_NULL, related_name="+")

    class Meta:
        constraints = [
            TenantPolicy(name="capability_of_one_organization"),
            SameOrganization(name="capability_in_project_of_organization", field="project"),
            models.UniqueConstraint(fields=["organization", "project", "name"], name="one_capability_per_name"),
        ]

    def __str__(self) -> str:
        return self.name
