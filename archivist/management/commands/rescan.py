"""Promise the deep pass for records that were last scanned with other redaction rules than today's."""

from typing import Any
from uuid import UUID

from archivist.management.announcing import AnnouncingCommand
from memory.models import Record
from memory.models.outbox import ErrandKind
from memory.models.record import RecordQuerySet
from memory.redaction import RULES_VERSION


class Command(AnnouncingCommand):
    """`manage.py rescan`: may be stopped and run again; what is promised already is left alone."""

    help = str(__doc__)
    kind = ErrandKind.SCAN

    def behind(self, organization_id: UUID, **_: Any) -> RecordQuerySet:
        """Return the records that today's rules have not seen, forgotten ones included."""
        return Record.objects.in_organization(organization_id).exclude(scanned_with=RULES_VERSION)
