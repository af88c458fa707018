"""Gives records their vectors: asks the model outside any transaction, writes them in one."""

from collections.abc import Sequence
from uuid import UUID

from django.conf import settings

from memory import outbox
from memory.metrics import measured_embedder
from memory.models import Embedding, Record
from memory.outbox import Work
from memory.search.embeddings import EmbedderDown, Vector, embed_passages
from orgs.tenancy import acting_for


class Outage(Exception):
    """Nobody gives vectors at present; the records are not to blame."""


def embed(works: Sequence[Work]) -> int:
    """Embed records of one organization, and say for how many that was done with.

    Raises Outage when there is nobody to ask, and EmbedderDown when somebody is who refuses these texts.
    """
    organization_id = works[0].organization_id
    with acting_for(organization_id):
        records = _live(organization_id, [work.record_id for work in works])
    asked = list(records.values())
    vectors = _vectors([record.content for record in asked]) if asked else []
    meant = dict(zip(records, vectors, strict=True))
    with acting_for(organization_id):
        return sum(_write(work, records.get(work.record_id), meant.get(work.record_id)) for work in works)


def _vectors(texts: Sequence[str]) -> list[Vector]:
    with measured_embedder():
        try:
            return embed_passages(texts)
        except EmbedderDown:
            _knock()
            raise


def _knock() -> None:
    """Ask about a text that is nobody's: without an answer to that, it is an outage."""
    try:
        embed_passages(["."])
    except EmbedderDown as failure:
        raise Outage from failure


def _live(organization_id: UUID, ids: Sequence[UUID]) -> dict[UUID, Record]:
    records = Record.objects.in_organization(organization_id).with_ids(ids).filter(forgotten_at=None)
    return {record.id: record for record in records.only("id", "project_id", "content", "content_digest")}


def _write(work: Work, asked: Record | None, vector: Vector | None) -> bool:
    """Keep the vector, unless the record was forgotten or rewritten since its text was asked about."""
    if not outbox.settle(work):
        return False
    same = Record.objects.in_organization(work.organization_id).filter(id=work.record_id, forgotten_at=None)
    if asked and vector is not None and same.filter(content_digest=asked.content_digest).exists():
        Embedding.objects.update_or_create(
            record_id=work.record_id,
            defaults={
                "organization_id": work.organization_id,
                "project_id": asked.project_id,
                "model": settings.EMBEDDINGS_MODEL,
                "vector": vector,
            },
        )
    return True
