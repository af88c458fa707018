"""Embedding: a record's meaning as a vector, and the model that made it."""

from django.db import models
from pgvector.django import HalfVectorField

from memory.models.record import Record
from orgs.tenancy import SameOrganization, TenantPolicy


class Embedding(models.Model):
    """One vector per record, unit length, half precision. `model` names what made it."""

    record = models.OneToOneField(
        Record, primary_key=True, db_constraint=False, on_delete=models.CASCADE, related_name="embedding"
    )
    organization = models.ForeignKey("orgs.Organization", db_index=False, on_delete=models.CASCADE, related_name="+")
    project = models.ForeignKey(
        "orgs.Project", db_index=False, db_constraint=False, on_delete=models.CASCADE, related_name="+"
    )
    model = models.CharField(max_length=100)
    vector = HalfVectorField()

    class Meta:
        constraints = [
            TenantPolicy(name="embedding_of_one_organization"),
            SameOrganization(name="embedding_record_of_organization", field="record"),
            SameOrganization(name="embedding_project_of_organization", field="project"),
            models.UniqueConstraint(fields=["organization", "record"], name="one_embedding_per_record"),
        ]
        indexes = [models.Index(fields=["organization", "project", "model"], name="embeddings_of_a_project")]

    def __str__(self) -> str:
        return f"{self.record_id} by {self.model}"
