"""The outbox: work is promised in the transaction of what it is about, and done later by whoever leases it."""

from datetime import datetime

from memory.models import Errand, Record
from memory.models.outbox import ErrandKind


def announce(record: Record, *, now: datetime, kinds: tuple[ErrandKind, ...] = tuple(ErrandKind)) -> None:
    """Promise work about a record in the caller's transaction; a promise already open is not doubled."""
    Errand.objects.bulk_create(
        (
            Errand(organization_id=record.organization_id, record=record, kind=kind, created_at=now, due_at=now)
            for kind in kinds
        ),
        ignore_conflicts=True,
    )
