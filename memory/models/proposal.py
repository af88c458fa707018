"""Proposal: a write that a gate held for a person, or refused; what was refused stays as negative memory."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from django.db import models
from django.db.models import Q
from uuid_utils.compat import uuid7

from memory.models.record import Record
from memory.visibility import seen_by
from orgs.caller import Caller
from orgs.roles import Permission, Visibility
from orgs.tenancy import SameOrganization, TenantPolicy


class ProposalState(models.TextChoices):
    """What became of a proposal."""

    PENDING = "pending"
    ACCEPTED = "accepted"
    MERGED = "merged"
    REJECTED = "rejected"


class ProposalQuerySet(models.QuerySet["Proposal"]):
    """Reads of proposals, as sentences."""

    def visible_to(self, caller: Caller) -> ProposalQuerySet:
        """Keep what the caller would see if it were a record, and what it proposed itself where it may read."""
        return self.filter(seen_by(caller) | _proposed_by(caller, caller.readable_projects))

    def known_to_writer(self, caller: Caller) -> ProposalQuerySet:
        """Keep what a write may be compared with: a key that only writes still knows what its owner wrote."""
        writable = [id for id, held in caller.projects.items() if Permission.WRITE in held]
        return self.filter(seen_by(caller) | _proposed_by(caller, writable))


def _proposed_by(caller: Caller, projects: Collection[UUID]) -> Q:
    own = Q(organization_id=caller.organization_id, author_id=caller.user_id, project_id__in=projects)
    return own if caller.every_workspace else own & Q(workspace__name__in=caller.workspaces)


class Proposal(models.Model):
    """One held or refused write.

    `inputs`: what was sent, redacted; empty once a record says it. `verdict`: why it was held. `decision_reason`: why
    a person rejected it; without one a rule did.
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
    content_digest = models.CharField(max_length=64)
    inputs = models.JSONField()
    verdict = models.JSONField()
    moved_to = models.CharField(max_length=60)
    supersedes = models.ForeignKey(
        Record, null=True, db_index=False, db_constraint=False, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField()
    state = models.CharField(max_length=10, choices=ProposalState.choices, default=ProposalState.PENDING)
    decided_at = models.DateTimeField(null=True)
    decided_by = models.ForeignKey("orgs.User", null=True, db_index=False, on_delete=models.SET_NULL, related_name="+")
    decision_reason = models.CharField(max_length=1000, null=True)  # noqa: DJ001
    record = models.ForeignKey(
        Record, null=True, db_index=False, db_constraint=False, on_delete=models.SET_NULL, related_name="+"
    )

    objects = ProposalQuerySet.as_manager()

    class Meta:
        constraints = [
            TenantPolicy(name="proposal_of_one_organization"),
            SameOrganization(name="proposal_in_project_of_organization", field="project"),
            SameOrganization(name="proposal_in_workspace_of_organization", field="workspace"),
            SameOrganization(name="proposal_in_department_of_organization", field="department"),
            SameOrganization(name="proposal_by_key_of_organization", field="key"),
            SameOrganization(name="proposal_record_of_organization", field="record"),
            SameOrganization(name="proposal_supersedes_in_organization", field="supersedes"),
            models.UniqueConstraint(fields=["organization", "id"], name="one_proposal_per_organization_and_id"),
            models.CheckConstraint(
                condition=Q(state="pending", decided_at=None) | Q(decided_at__isnull=False) & ~Q(state="pending"),
                name="proposal_decided_once",
            ),
        ]
        indexes = [
            models.Index(fields=["organization", "project", "state", "-created_at"], name="proposals_by_state"),
            models.Index(
                fields=["organization", "project", "workspace", "content_digest"], name="proposals_by_content"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.state} {self.id}"
