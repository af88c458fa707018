"""What commands share that promise work about many records: in batches, organization by organization."""

from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand
from django.db.models import Exists, OuterRef
from django.utils import timezone

from memory import outbox
from memory.models import Errand
from memory.models.outbox import ErrandKind
from memory.models.record import RecordQuerySet
from orgs.management.places import organization_called
from orgs.queries import every_organization
from orgs.tenancy import acting_for

BATCH = 1000


class AnnouncingCommand(BaseCommand):
    """Says which records are behind, and of which kind the work is; the rest is here."""

    kind: ErrandKind

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Let one organization be named."""
        parser.add_argument("--organization", type=organization_called, help="only the one of this short name")

    def handle(self, *, organization: UUID | None = None, **options: Any) -> None:
        """Promise the work, and say how much it is."""
        total = 0
        for organization_id in [organization] if organization else every_organization():
            for number in self._announce(organization_id, **options):
                total += number
                self.stdout.write(f"{organization_id}: {number} promised, {total} in all")
        self.stdout.write(f"{total} records to {self.kind.value}")

    def behind(self, organization_id: UUID, **options: Any) -> RecordQuerySet:
        """Return the records that the work is about."""
        raise NotImplementedError

    def _announce(self, organization_id: UUID, **options: Any) -> Iterator[int]:
        """Promise one batch per transaction; what was promised before is not among the next."""
        while True:
            with acting_for(organization_id):
                promised = Errand.objects.filter(organization_id=organization_id, record=OuterRef("id"), kind=self.kind)
                behind = self.behind(organization_id, **options).exclude(Exists(promised)).order_by("id")
                ids = list(behind.values_list("id", flat=True)[:BATCH])
                outbox.announce_all(organization_id, ids, now=timezone.now(), kinds=[self.kind])
            if not ids:
                return
            yield len(ids)
