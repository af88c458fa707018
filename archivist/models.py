"""What the archivist did: which records it compared, and what it decided; each once."""

from django.db import models
from django.db.models import Q

from orgs.models.tenant import TenantModel
from orgs.tenancy import SameOrganization


class Comparison(TenantModel):
    """One judge, of one version, read one record beside others. `inputs` hashes the texts it was given.

    `dropped`: how many of its findings were not followed, for they named nothing that it was shown or were not allowed.
    """

    record = models.ForeignKey(
        "memory.Record", db_index=False, db_constraint=False, on_delete=models.CASCADE, related_name="comparisons"
    )
    judge = models.CharField(max_length=40)
    version = models.CharField(max_length=40)
    inputs = models.CharField(max_length=64)
    candidates = models.PositiveIntegerField()
    dropped = models.PositiveIntegerField(default=0)
    at = models.DateTimeField()

    class Meta(TenantModel.Meta):
        constraints = [
            *TenantModel.Meta.constraints,
            SameOrganization(name="comparison_record_of_organization", field="record"),
            models.UniqueConstraint(
                fields=["organization", "record", "judge", "version", "inputs"], name="one_comparison_of_the_same"
            ),
        ]
        indexes = [models.Index(fields=["organization", "-at"], name="newest_comparisons")]

    def __str__(self) -> str:
        return f"{self.record_id} by {self.judge} {self.version}"


class What(models.TextChoices):
    """What can be decided of a record, alone or with another in view."""

    RELATES_TO = "relates_to"
    FIXES_ISSUE = "fixes_issue"
    SUPERSEDES = "supersedes"
    REFINES = "refines"
    REFUTES = "refutes"
    FACT_KEY = "fact_key"


class Decision(TenantModel):
    """One thing that was decided, once. `reason` is a word of the judge's own vocabulary and never a record's text.

    `about` is the older record that it concerns: nothing for a fact key made from the record alone. Shown to those who
    see both ends. `undone_at` keeps it from being decided again.
    """

    comparison = models.ForeignKey(
        Comparison, db_index=False, db_constraint=False, on_delete=models.CASCADE, related_name="decisions"
    )
    record = models.ForeignKey(
        "memory.Record", db_index=False, db_constraint=False, on_delete=models.CASCADE, related_name="decisions"
    )
    about = models.ForeignKey(
        "memory.Record",
        null=True,
        db_index=False,
        db_constraint=False,
        on_delete=models.CASCADE,
        related_name="decisions_about",
    )
    what = models.CharField(max_length=20, choices=What.choices)
    amount = models.FloatField(null=True, help_text="Weight of a relation, or share of confidence taken.")
    reason = models.CharField(max_length=60)
    at = models.DateTimeField()
    undone_at = models.DateTimeField(null=True)
    undone_by = models.ForeignKey("orgs.User", null=True, db_index=False, on_delete=models.SET_NULL, related_name="+")

    class Meta(TenantModel.Meta):
        constraints = [
            *TenantModel.Meta.constraints,
            SameOrganization(name="decision_of_a_comparison", field="comparison"),
            SameOrganization(name="decision_record_of_organization", field="record"),
            SameOrganization(name="decision_about_of_organization", field="about"),
            models.UniqueConstraint(
                fields=["organization", "record", "about", "what"], name="decided_once", nulls_distinct=False
            ),
            models.CheckConstraint(
                condition=Q(about=None) | ~Q(about=models.F("record")), name="decided_about_another"
            ),
        ]
        indexes = [
            models.Index(fields=["organization", "about"], name="decisions_about_a_record"),
            models.Index(fields=["organization", "comparison"], name="decisions_of_a_comparison"),
        ]

    def __str__(self) -> str:
        return f"{self.record_id} {self.what} {self.about_id}"
