"""How many records an organization may keep. Where nothing is said of that, nothing is counted."""

from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import F

from memory.models import Record, Tally
from orgs.caller import Caller
from orgs.errors import TooMany

COUNTED_EVERY = timedelta(hours=1)


def take(caller: Caller, number: int, *, now: datetime) -> None:
    """Make room for so many new records until the commit, or raise TooMany. Needs the organization's transaction.

    Exact among writers at the same moment: each waits for the one before it.
    """
    most = caller.limits.records
    if most is None or not number:
        return
    mine = Tally.objects.filter(organization_id=caller.organization_id)
    if not mine.filter(counted_at__gt=now - COUNTED_EVERY).exists():
        _count(caller.organization_id, now=now)
    if not mine.filter(records__lte=most - number).update(records=F("records") + number):
        raise TooMany(
            f"The organization keeps {most} records at most.",
            hint="Reading goes on. Have old records purged, or the limit raised.",
            data={"limit": most, "of": "records"},
        )


def _count(organization_id: UUID, *, now: datetime) -> None:
    """Count anew. The row is locked first, so that whoever wrote before has committed when it is counted."""
    Tally.objects.bulk_create([Tally(organization_id=organization_id, records=0)], ignore_conflicts=True)
    mine = Tally.objects.select_for_update().get(organization_id=organization_id)
    if mine.counted_at is not None and mine.counted_at > now - COUNTED_EVERY:
        return  # somebody else did while this one waited
    mine.records = Record.objects.in_organization(organization_id).count()
    mine.counted_at = now
    mine.save(update_fields=["records", "counted_at"])
