"""Errand: work promised about a record, in the same commit as the record itself. It carries ids only."""

from django.db import models
from django.db.models import Q
from uuid_utils.compat import uuid7

from memory.models.record import Record
from orgs.tenancy import SameOrganization, TenantPolicy


class ErrandKind(models.TextChoices):
    """What is to be done about a record."""

    EMBED = "embed"
    SCAN = "scan"
    REVIEW = "review"


class Errand(models.Model):
    """A row is the promise; the broker's message is only a doorbell.

    Taken up by raising `attempts` and setting `leased_until`; its effect and its deletion commit together,
    fenced by `id` and `attempts`, which only ever grows. `tries` counts the starts that weren't cut short by
    somebody else's outage: after too many, `dead_at` is set and a person decides. A promise made anew takes
    the old one's place under a new id.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    organization = models.ForeignKey("orgs.Organization", db_index=False, on_delete=models.CASCADE, related_name="+")
    record = models.ForeignKey(
        Record, db_index=False, db_constraint=False, on_delete=models.CASCADE, related_name="errands"
    )
    kind = models.CharField(max_length=10, choices=ErrandKind.choices)
    created_at = models.DateTimeField()
    due_at = models.DateTimeField()
    leased_until = models.DateTimeField(null=True)
    attempts = models.IntegerField(default=0)
    tries = models.IntegerField(default=0)
    dead_at = models.DateTimeField(null=True)
    problem = models.CharField(max_length=200, blank=True, default="", help_text="Class of the last error, no content.")

    class Meta:
        constraints = [
            TenantPolicy(name="errand_of_one_organization"),
            SameOrganization(name="errand_record_of_organization", field="record"),
            models.UniqueConstraint(fields=["organization", "record", "kind"], name="one_errand_of_a_kind"),
        ]
        indexes = [
            # Kind and organization first: the relay steps from one organization to the next, however long one's queue.
            models.Index(fields=["kind", "organization", "due_at"], name="errands_to_run", condition=Q(dead_at=None)),
            models.Index(
                fields=["kind", "leased_until"], name="errands_on_their_way", condition=Q(leased_until__isnull=False)
            ),
            models.Index(
                fields=["organization", "dead_at"], name="errands_given_up", condition=Q(dead_at__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.record_id}"
