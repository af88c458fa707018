"""Record: one fact, decision or agreement; and Derivation: which records a summary was built from."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models import Exists, OuterRef, Q
from uuid_utils.compat import uuid7

from memory.visibility import seen_by
from orgs.caller import Caller
from orgs.roles import Visibility
from orgs.tenancy import SameOrganization, TenantPolicy


class RecordQuerySet(models.QuerySet["Record"]):
    """Reads of records, as sentences."""

    def visible_to(self, caller: Caller) -> RecordQuerySet:
        """Keep the live records that the caller may see: the lens of every read."""
        return self.known_to(caller).filter(forgotten_at=None)

    def known_to(self, caller: Caller) -> RecordQuerySet:
        """Keep what the caller may see, forgotten records (tombstones) included."""
        return self.filter(seen_by(caller))

    def in_workspace(self, name: str) -> RecordQuerySet:
        """Keep the records of the workspaces of this (canonical) name."""
        return self.filter(workspace__name=name)

    def current_for(self, caller: Caller, *, at: datetime | None = None) -> RecordQuerySet:
        """Drop records superseded, until that time if one is given, by one that is live and that the caller may see."""
        successors = successions(caller).filter(old=OuterRef("id"))
        return self.exclude(Exists(successors.filter(at__lte=at) if at else successors))

    def in_organization(self, organization_id: UUID) -> RecordQuerySet:
        """Keep one organization's records, whoever may see them: for background work, never for a reader."""
        return self.filter(organization_id=organization_id)

    def with_ids(self, ids: Iterable[UUID]) -> RecordQuerySet:
        """Keep the records of these ids."""
        return self.filter(id__in=list(ids))


class Record(models.Model):
    """One fact with where it came from. Rows are added and marked, never rewritten by `remember`.

    `status`, shown confidence, relations and versions are derived at every read, for the caller.
    `words` is the search document (`memory.search.words`); `content_digest` and `source_digest` are the
    one spelling of content and source hash by which versions are compared.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    organization = models.ForeignKey("orgs.Organization", db_index=False, on_delete=models.CASCADE, related_name="+")
    project = models.ForeignKey(
        "orgs.Project", db_index=False, db_constraint=False, on_delete=models.CASCADE, related_name="+"
    )
    workspace = models.ForeignKey(
        "orgs.Workspace", db_index=False, db_constraint=False, on_delete=models.CASCADE, related_name="+"
    )
    author = models.ForeignKey("orgs.User", null=True, db_index=False, on_delete=models.SET_NULL, related_name="+")
    department = models.ForeignKey(
        "orgs.Department", null=True, db_index=False, db_constraint=False, on_delete=models.SET_NULL, related_name="+"
    )
    key = models.ForeignKey(
        "orgs.ApiKey", null=True, db_index=False, db_constraint=False, on_delete=models.SET_NULL, related_name="+"
    )
    visibility = models.CharField(max_length=12, choices=[(v.value, v.value) for v in Visibility])

    scope = models.CharField(max_length=100)
    content = models.TextField()
    content_digest = models.CharField(max_length=64)
    tokens = models.PositiveIntegerField(null=True, help_text="As counted by tokens.count_below; null: not yet.")
    source = models.CharField(max_length=100)
    source_id = models.CharField(max_length=1000, null=True)  # noqa: DJ001 — null is "not given", "" is never stored
    source_hash = models.CharField(max_length=200, null=True)  # noqa: DJ001
    source_digest = models.CharField(max_length=210, blank=True, default="")
    source_revision = models.CharField(max_length=200, null=True)  # noqa: DJ001
    fact_key = models.CharField(max_length=400, null=True)  # noqa: DJ001
    fact_key_by_archivist = models.BooleanField(default=False)
    confidence = models.FloatField(default=0.5)

    tags = ArrayField(models.CharField(max_length=100), default=list)
    content_kind = models.CharField(max_length=100, null=True)  # noqa: DJ001
    layer = models.CharField(max_length=100, null=True)  # noqa: DJ001
    importance = models.FloatField(null=True)
    verification_basis = models.TextField(null=True)  # noqa: DJ001
    condition_space = models.TextField(null=True)  # noqa: DJ001
    non_applicable_conditions = models.TextField(null=True)  # noqa: DJ001
    depends_on = ArrayField(models.UUIDField(), default=list)
    relation = models.CharField(max_length=100, null=True)  # noqa: DJ001
    valid_from = models.DateTimeField(null=True)
    valid_until = models.DateTimeField(null=True)
    observed_at = models.DateTimeField()
    session = models.CharField(max_length=200, null=True)  # noqa: DJ001
    metadata = models.JSONField(default=dict)

    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()
    forgotten_at = models.DateTimeField(null=True)
    forgotten_by = models.ForeignKey(
        "orgs.User", null=True, db_index=False, on_delete=models.SET_NULL, related_name="+"
    )
    forgotten_reason = models.CharField(max_length=1000, null=True)  # noqa: DJ001
    protected_at = models.DateTimeField(null=True, help_text="From then on it is forgotten only by override.")

    words = SearchVectorField()
    scanned_with = models.CharField(max_length=64, blank=True, default="", help_text="Redaction rules last applied.")

    objects = RecordQuerySet.as_manager()

    class Meta:
        constraints = [
            TenantPolicy(name="record_of_one_organization"),
            models.UniqueConstraint(fields=["organization", "id"], name="one_record_per_organization_and_id"),
            SameOrganization(name="record_in_project_of_organization", field="project"),
            SameOrganization(name="record_in_workspace_of_organization", field="workspace"),
            SameOrganization(name="record_in_department_of_organization", field="department"),
            SameOrganization(name="record_by_key_of_organization", field="key"),
            models.CheckConstraint(condition=Q(confidence__gte=0, confidence__lte=1), name="confidence_is_a_share"),
            models.CheckConstraint(condition=Q(created_at__lte=models.F("updated_at")), name="updated_after_created"),
        ]
        indexes = [
            models.Index(
                fields=["organization", "project", "workspace", "fact_key"],
                name="versions_of_a_fact",
                condition=Q(fact_key__isnull=False, forgotten_at=None),
            ),
            models.Index(fields=["organization", "project", "-created_at", "-id"], name="newest_of_a_project"),
            models.Index(
                fields=["organization", "source_id"], name="records_of_a_source", condition=Q(source_id__isnull=False)
            ),
            models.Index(
                fields=["organization", "project", "session", "observed_at", "id"],
                name="neighbours_in_a_session",
                condition=Q(session__isnull=False),
            ),
            models.Index(
                fields=["organization", "visibility"],
                name="organization_wide_records",
                condition=Q(visibility="organization"),
            ),
            GinIndex(fields=["organization", "project", "words"], name="words_in_a_project"),
        ]

    def __str__(self) -> str:
        return str(self.id)


class Succession(models.Model):
    """A record took the place of another. It counts for those who see the new one, and as long as that is live."""

    organization = models.ForeignKey("orgs.Organization", db_index=False, on_delete=models.CASCADE, related_name="+")
    old = models.ForeignKey(
        Record, db_index=False, db_constraint=False, on_delete=models.CASCADE, related_name="successions"
    )
    new = models.ForeignKey(
        Record, db_index=False, db_constraint=False, on_delete=models.CASCADE, related_name="precedents"
    )
    at = models.DateTimeField()
    undone_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            TenantPolicy(name="succession_of_one_organization"),
            SameOrganization(name="succession_old_of_organization", field="old"),
            SameOrganization(name="succession_new_of_organization", field="new"),
            models.UniqueConstraint(fields=["organization", "old", "new"], name="one_succession_per_pair"),
            models.CheckConstraint(condition=~Q(old=models.F("new")), name="succeeds_another"),
        ]
        indexes = [models.Index(fields=["organization", "new"], name="precedents_of_a_record")]

    def __str__(self) -> str:
        return f"{self.old_id} → {self.new_id}"


def successions(caller: Caller) -> models.QuerySet[Succession]:
    """Return the successions that count for the caller: whose new record is live and visible to them."""
    live = Record.objects.visible_to(caller).filter(id=OuterRef("new_id"))
    return Succession.objects.filter(Exists(live), organization_id=caller.organization_id, undone_at=None)


class Derivation(models.Model):
    """A summary was built from a source. Acyclic, because a source must exist before its summary."""

    organization = models.ForeignKey("orgs.Organization", db_index=False, on_delete=models.CASCADE, related_name="+")
    summary = models.ForeignKey(
        Record, db_index=False, db_constraint=False, on_delete=models.CASCADE, related_name="derivations"
    )
    source = models.ForeignKey(
        Record, db_index=False, db_constraint=False, on_delete=models.CASCADE, related_name="summaries"
    )
    place = models.SmallIntegerField(help_text="Order in which the writer named the sources.")

    class Meta:
        constraints = [
            TenantPolicy(name="derivation_of_one_organization"),
            SameOrganization(name="derivation_summary_of_organization", field="summary"),
            SameOrganization(name="derivation_source_of_organization", field="source"),
            models.UniqueConstraint(fields=["organization", "summary", "source"], name="one_derivation_per_source"),
            models.CheckConstraint(condition=~Q(summary=models.F("source")), name="derived_from_another"),
        ]
        indexes = [models.Index(fields=["organization", "source"], name="summaries_of_a_source")]

    def __str__(self) -> str:
        return f"{self.summary_id} ← {self.source_id}"
