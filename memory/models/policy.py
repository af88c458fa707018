"""WritePolicy: what a project lets in, and who decides about the rest."""

from django.db import models
from uuid_utils.compat import uuid7

from orgs.tenancy import SameOrganization, TenantPolicy


class WriteMode(models.TextChoices):
    """Who decides about a write that no rule decides about."""

    OPEN = "open"  # it is accepted
    REVIEW = "review"  # agents' writes wait for a person
    NONE = "none"  # there is nothing to judge by: everything waits


class OnConflict(models.TextChoices):
    """What becomes of a write that contradicts a live version."""

    RECORD = "record"
    DEFER = "defer"
    REJECT = "reject"


class OnFinding(models.TextChoices):
    """What becomes of a write in which a secret was found. It is taken out in any case."""

    REDACT = "redact"
    REJECT = "reject"


class WritePolicy(models.Model):
    """One per project; without a row a project is open. `rules`: as in `PolicyRule`, in their order."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    organization = models.ForeignKey("orgs.Organization", db_index=False, on_delete=models.CASCADE, related_name="+")
    project = models.ForeignKey(
        "orgs.Project", db_index=False, db_constraint=False, on_delete=models.CASCADE, related_name="+"
    )
    mode = models.CharField(max_length=10, choices=WriteMode.choices, default=WriteMode.OPEN)
    rules = models.JSONField(default=list)
    on_conflict_for_agents = models.CharField(max_length=10, choices=OnConflict.choices, default=OnConflict.RECORD)
    on_finding = models.CharField(max_length=10, choices=OnFinding.choices, default=OnFinding.REDACT)
    restore_needs_force = models.BooleanField(default=False)
    updated_at = models.DateTimeField()

    class Meta:
        constraints = [
            TenantPolicy(name="write_policy_of_one_organization"),
            SameOrganization(name="write_policy_in_project_of_organization", field="project"),
            models.UniqueConstraint(fields=["organization", "project"], name="one_write_policy_per_project"),
        ]

    def __str__(self) -> str:
        return f"{self.mode} in {self.project_id}"
