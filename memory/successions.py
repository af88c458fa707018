"""One record takes the place of another, and gives it back. Every function needs the organization's transaction.

No record ever supersedes itself, by however many others. A ring that the caller could see closing is refused. One that
would close by what the caller may not see is none to the caller, and to say no would tell of it: there the earlier word
gives way to the later one, so that whoever sees all of it sees a chain that ends in what was said last.
"""

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from django.db import connection

from memory.models import Record, Succession
from memory.models.record import successions
from orgs.audit import note
from orgs.caller import Caller

# One at a time in a project: two chains that close a ring together share no record that both could lock.
_ALONE = "SELECT pg_advisory_xact_lock(hashtextextended('supersede ' || %s, 0))"
_BETWEEN = """
WITH RECURSIVE after(id) AS (
    SELECT %(new)s::uuid
  UNION
    SELECT s.new_id FROM memory_succession s JOIN after ON s.old_id = after.id
    WHERE s.organization_id = %(organization)s AND s.undone_at IS NULL
), before(id) AS (
    SELECT %(old)s::uuid
  UNION
    SELECT s.old_id FROM memory_succession s JOIN before ON s.new_id = before.id
    WHERE s.organization_id = %(organization)s AND s.undone_at IS NULL
)
SELECT s.old_id, s.new_id FROM memory_succession s JOIN after ON s.old_id = after.id JOIN before ON s.new_id = before.id
WHERE s.organization_id = %(organization)s AND s.undone_at IS NULL
"""

Step = tuple[UUID, UUID]
"""From a record to the one that took its place."""


def alone(project_id: UUID | None) -> None:
    """Wait until nobody else changes successions in this project, and keep others waiting until the commit."""
    with connection.cursor() as cursor:
        cursor.execute(_ALONE, [str(project_id)])


def leads_back(caller: Caller, old_id: UUID, new_id: UUID) -> bool:
    """Say whether the old record has taken the new one's place already, directly or by others that the caller sees."""
    return old_id in _reached(new_id, _seen(caller, _steps(caller, old_id, new_id)))


def give_way(caller: Caller, old_id: UUID, new_id: UUID, *, now: datetime) -> None:
    """Undo what the caller does not see and would close a ring once the new record supersedes the old one."""
    steps = _steps(caller, old_id, new_id)
    seen = _seen(caller, steps)
    reached = _reached(new_id, seen)
    for old, new in sorted(steps - seen):
        if old in reached:
            pair = {"organization_id": caller.organization_id, "old_id": old, "new_id": new}
            Succession.objects.filter(**pair).update(undone_at=now)
            note(caller, verb="reinstate", object_id=old, now=now, details={"no_longer_by": [str(new)]})


def _steps(caller: Caller, old_id: UUID, new_id: UUID) -> set[Step]:
    """Return every step of every way that leads from the new record to the old one."""
    with connection.cursor() as cursor:
        cursor.execute(_BETWEEN, {"organization": caller.organization_id, "old": old_id, "new": new_id})
        return set(cursor.fetchall())


def _seen(caller: Caller, steps: set[Step]) -> set[Step]:
    """Keep the steps between live records that the caller sees."""
    ends = {id for step in steps for id in step}
    seen = set(Record.objects.visible_to(caller).with_ids(ends).values_list("id", flat=True)) if ends else set()
    return {step for step in steps if seen.issuperset(step)}


def _reached(start: UUID, steps: Iterable[Step]) -> set[UUID]:
    """Return where the steps lead from a record, itself included."""
    reached, waiting = {start}, [start]
    while waiting:
        here = waiting.pop()
        further = {new for old, new in steps if old == here} - reached
        reached |= further
        waiting += further
    return reached


def succeed(caller: Caller, old: Record, new: Record, *, now: datetime) -> None:
    """Put the old record out of date in favour of the new one, and note it."""
    give_way(caller, old.id, new.id, now=now)
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
