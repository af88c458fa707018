"""Bring today's redaction rules to what was kept under others: promised for records, done for held writes."""

from typing import Any
from uuid import UUID

from django.utils import timezone

from archivist.held import scan_held
from archivist.management.announcing import AnnouncingCommand
from memory.models import Record
from memory.models.outbox import ErrandKind
from memory.models.record import RecordQuerySet
from memory.redaction import RULES_VERSION
from orgs.queries import every_organization


class Command(AnnouncingCommand):
    """`manage.py rescan`: may be stopped and run again; what is promised already is left alone."""

    help = str(__doc__)
    kind = ErrandKind.SCAN

    def handle(self, *, organization: UUID | None = None, **options: Any) -> None:
        """Promise the work on records, look at proposals, and say how much it was."""
        super().handle(organization=organization, **options)
        for organization_id in [organization] if organization else every_organization():
            changed = sum(scan_held(organization_id, now=timezone.now()))
            if changed:
                self.stdout.write(f"{organization_id}: {changed} proposals redacted")

    def behind(self, organization_id: UUID, **_: Any) -> RecordQuerySet:
        """Return the records that today's rules have not seen, forgotten ones included."""
        return Record.objects.in_organization(organization_id).exclude(scanned_with=RULES_VERSION)
