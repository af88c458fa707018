"""Promise new vectors for records whose vector another model made, or that have none."""

from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import Q

from archivist.management.announcing import AnnouncingCommand
from memory.models import Record
from memory.models.outbox import ErrandKind
from memory.models.record import RecordQuerySet


class Command(AnnouncingCommand):
    """`manage.py reembed`: may be stopped and run again; what is promised already is left alone."""

    help = str(__doc__)
    kind = ErrandKind.EMBED

    def behind(self, organization_id: UUID, **_: Any) -> RecordQuerySet:
        """Return the records without a vector of today's model."""
        ours = Q(embedding__organization_id=organization_id, embedding__model=settings.EMBEDDINGS_MODEL)
        return Record.objects.in_organization(organization_id).filter(forgotten_at=None).exclude(ours)
