"""Which older records a new one is read beside: of its own project and workspace, a bounded number."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.conf import settings
from django.db.models import Q
from pgvector.django import CosineDistance

from archivist.judges import Told
from memory.models import Embedding, Record
from memory.models.record import RecordQuerySet

RECENT, NEAREST, SAME_FACT, SAME_SOURCE = 40, 24, 16, 16
READ_AT_MOST = 8_000
"""Characters of one record that a judge reads."""


@dataclass(frozen=True, slots=True)
class Case:
    """A record and those it is read beside. `inputs` hashes all that was read."""

    new: Told
    older: Sequence[Told]
    digest: str

    @property
    def inputs(self) -> str:
        """Return the hash of the texts, in an order that doesn't depend on how they were found."""
        parts = sorted(f"{told.id} {hashlib.sha256(told.content.encode()).hexdigest()}" for told in self.older)
        return hashlib.sha256("\n".join([self.digest, *parts]).encode()).hexdigest()


def gather(organization_id: UUID, record_id: UUID) -> Case | None:
    """Return the case of a live record, or nothing if it was forgotten. Needs the organization's transaction."""
    records = Record.objects.in_organization(organization_id).filter(forgotten_at=None)
    new = records.filter(id=record_id).first()
    if new is None:
        return None
    ids = _candidates(records, new)
    older = list(records.with_ids(ids).order_by("created_at", "id"))
    vectors = _vectors([new.id, *ids], organization_id)
    return Case(_told(new, vectors), [_told(record, vectors) for record in older], new.content_digest)


def _candidates(records: RecordQuerySet, new: Record) -> list[UUID]:
    before = Q(created_at__lt=new.created_at) | Q(created_at=new.created_at, id__lt=new.id)
    place = records.filter(before, project_id=new.project_id, workspace_id=new.workspace_id)
    newest = place.order_by("-created_at", "-id").values_list("id", flat=True)
    found = list(_nearest(place, new))
    if new.fact_key:
        found += newest.filter(fact_key=new.fact_key)[:SAME_FACT]
    if new.source_id:
        found += newest.filter(source_id=new.source_id)[:SAME_SOURCE]
    return list(dict.fromkeys([*found, *newest[:RECENT]]))


def _nearest(place: RecordQuerySet, new: Record) -> Sequence[UUID]:
    own = _vectors([new.id], new.organization_id).get(new.id)
    if own is None:
        return []
    comparable = Q(embedding__organization_id=new.organization_id, embedding__model=settings.EMBEDDINGS_MODEL)
    nearest = place.filter(comparable).order_by(CosineDistance("embedding__vector", own), "id")
    return list(nearest.values_list("id", flat=True)[:NEAREST])


def _vectors(ids: Sequence[UUID], organization_id: UUID) -> dict[UUID, Sequence[float]]:
    """Return the vectors of today's model alone: those of two models say nothing about each other."""
    rows = Embedding.objects.filter(organization_id=organization_id, record__in=ids, model=settings.EMBEDDINGS_MODEL)
    return dict(rows.values_list("record_id", "vector"))


def _told(record: Record, vectors: dict[UUID, Sequence[float]]) -> Told:
    return Told(
        id=record.id,
        content=record.content[:READ_AT_MOST],
        fact_key=record.fact_key,
        source_id=record.source_id,
        observed_at=record.observed_at,
        meaning=vectors.get(record.id),
        model=settings.EMBEDDINGS_MODEL,
    )
