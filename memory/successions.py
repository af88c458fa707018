"""One record takes the place of another, and gives it back. Every function needs the organization's transaction."""

from datetime import datetime
from uuid import UUID

from django.db import connection

from memory.models import Record, Succession
from memory.models.record import successions
from orgs.audit import note
from orgs.caller import Caller

# One at a time in a project: two chains that close a ring together share no record that both could lock.
_ALONE = "SELECT pg_advisory_xact_lock(hashtextextended('supersede ' || %s, 0))"
_LEADS_BACK = """
WITH RECURSIVE after(id) AS (
    SELECT %(new)s::uuid
  UNION
    SELECT s.new_id FROM memory_succession s JOIN after ON s.old_id = after.id
    WHERE s.organization_id = %(organization)s AND s.undone_at IS NULL
)
SELECT EXISTS (SELECT FROM after WHERE id = %(old)s)
"""


def alone(project_id: UUID | None) -> None:
    """Wait until nobody else changes successions in this project, and keep others waiting until the commit."""
    with connection.cursor() as cursor:
        cursor.execute(_ALONE, [str(project_id)])


def leads_back(old: Record, new: Record) -> bool:
    """Say whether the old record has taken the new one's place already, directly or by others."""
    with connection.cursor() as cursor:
        cursor.execute(_LEADS_BACK, {"organization": old.organization_id, "old": old.id, "new": new.id})
        return bool(cursor.fetchone()[0])


def succeed(caller: Caller, old: Record, new: Record, *, now: datetime) -> None:
    """Put the old record out of date in favour of the new one, and note it."""
    Succession.objects.update_or_create(
        organization_id=old.organization_id, old=old, new=new, defaults={"at": now, "undone_at": None}
    )
    note(caller, verb="supersede", object_id=old.id, now=now, details={"by": str(new.id)})


def reinstate(caller: Caller, old: Record, *, now: datetime) -> list[UUID]:
    """Undo what put a record out of date for the caller, and return what had taken its place."""
    counted = successions(caller).filter(old=old)
    ids = list(counted.order_by("at", "new_id").values_list("new_id", flat=True))
    Succession.objects.filter(organization_id=old.organization_id, old=old, new_id__in=ids).update(undone_at=now)
    if ids:
        note(caller, verb="reinstate", object_id=old.id, now=now, details={"no_longer_by": [str(id) for id in ids]})
    return ids
