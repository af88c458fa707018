"""What the archivist found: relations between records, and doubts about older ones.

Findings are rows beside the records, each bound to the record it came from. A reader sees a finding, and
its effect, only where they see both ends: so nothing hidden can move what others see.
"""

from django.db import models
from django.db.models import F, Q
from uuid_utils.compat import uuid7

from memory.models.record import Record
from memory.protocol.vocabulary import RelationKind
from orgs.tenancy import SameOrganization, TenantPolicy


class Relation(models.Model):
    """One record bears on another. At most one of a kind per ordered pair."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    organization = models.ForeignKey("orgs.Organization", db_index=False, on_delete=models.CASCADE, related_name="+")
    origin = models.ForeignKey(
        Record, db_index=False, db_constraint=False, on_delete=models.CASCADE, related_name="outgoing"
    )
    target = models.ForeignKey(
        Record, db_index=False, db_constraint=False, on_delete=models.CASCADE, related_name="incoming"
    )
    kind = models.CharField(max_length=20, choices=[(k.value, k.value) for k in RelationKind])
    weight = models.FloatField()
    created_at = models.DateTimeField()
    undone_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            TenantPolicy(name="relation_of_one_organization"),
            SameOrganization(name="relation_origin_of_organization", field="origin"),
            SameOrganization(name="relation_target_of_organization", field="target"),
            models.UniqueConstraint(fields=["organization", "origin", "target", "kind"], name="one_relation_of_a_kind"),
            models.CheckConstraint(condition=Q(weight__gte=0, weight__lte=1), name="weight_is_a_share"),
            models.CheckConstraint(condition=~Q(origin=F("target")), name="relates_to_another"),
        ]
        indexes = [models.Index(fields=["organization", "target"], name="incoming_relations")]

    def __str__(self) -> str:
        return f"{self.origin_id} {self.kind} {self.target_id}"


class Doubt(models.Model):
    """A newer record (`because`) refines or refutes an older one; at most once per pair.

    `amount`: by how much the older record's confidence is lowered, 0–1. `refutes`: it is stale as well.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    organization = models.ForeignKey("orgs.Organization", db_index=False, on_delete=models.CASCADE, related_name="+")
    record = models.ForeignKey(
        Record, db_index=False, db_constraint=False, on_delete=models.CASCADE, related_name="doubts"
    )
    because = models.ForeignKey(
        Record, db_index=False, db_constraint=False, on_delete=models.CASCADE, related_name="doubts_raised"
    )
    amount = models.FloatField()
    refutes = models.BooleanField(default=False)
    created_at = models.DateTimeField()
    undone_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            TenantPolicy(name="doubt_of_one_organization"),
            SameOrganization(name="doubt_record_of_organization", field="record"),
            SameOrganization(name="doubt_because_of_organization", field="because"),
            models.UniqueConstraint(fields=["organization", "record", "because"], name="one_doubt_per_pair"),
            models.CheckConstraint(condition=Q(amount__gte=0, amount__lte=1), name="amount_is_a_share"),
            models.CheckConstraint(condition=~Q(record=F("because")), name="doubted_because_of_another"),
        ]
        indexes = [models.Index(fields=["organization", "because"], name="doubts_raised_by_a_record")]

    def __str__(self) -> str:
        return f"{self.record_id} doubted because of {self.because_id}"
