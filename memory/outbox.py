"""The outbox: work is promised in the transaction of what it is about, and done later by whoever takes it up.

The row is the promise. The relay rings a doorbell for what is due (`ring`), a worker takes it up (`take`), and the
work's effect commits together with `settle`, or the errand is put off (`postpone`). Whatever is lost on the way,
a message or a worker, the row falls due again.
"""

import random
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db import connection, models
from django.db.models import F
from uuid_utils.compat import uuid7

from memory.models import Errand, Record
from memory.models.outbox import ErrandKind

FIRST_PAUSE, LONGEST_PAUSE = timedelta(seconds=2), timedelta(minutes=10)

# A promise made anew gets a new id, so that work begun under the old one, on what the record was then, can't settle
# it; and it waits until that work's lease is over, so that no record is worked on twice at once.
_PROMISE = """
INSERT INTO memory_errand
    (id, organization_id, record_id, kind, created_at, due_at, attempts, tries, problem)
SELECT p.id, %(organization)s, p.record_id, p.kind, %(now)s, %(now)s, 0, 0, ''
FROM unnest(%(ids)s::uuid[], %(records)s::uuid[], %(kinds)s::text[]) AS p (id, record_id, kind)
ON CONFLICT (organization_id, record_id, kind) DO UPDATE SET
    id = excluded.id, attempts = 0, tries = 0, dead_at = NULL, leased_until = NULL, problem = '',
    created_at = excluded.created_at,
    due_at = CASE memory_errand.attempts WHEN 0 THEN excluded.due_at
        ELSE greatest(excluded.due_at, memory_errand.leased_until) END
"""
_TAKE = """
UPDATE memory_errand e SET attempts = e.attempts + 1, tries = e.tries + 1, due_at = %(until)s, leased_until = %(until)s
FROM unnest(%(ids)s::uuid[], %(attempts)s::int[]) AS rung (id, attempts)
WHERE e.organization_id = %(organization)s AND e.id = rung.id AND e.attempts = rung.attempts
    AND e.kind = %(kind)s AND e.dead_at IS NULL
RETURNING e.id, e.organization_id, e.record_id, e.kind, e.attempts, e.tries, e.created_at
"""
_RING = "SELECT organization_id, id, attempts FROM memory_ring_errands(%s, %s, %s, %s, %s)"
_TALLY = "SELECT kind, state, number, oldest_at FROM memory_tally_errands(%s)"


@dataclass(frozen=True, slots=True)
class Rung:
    """An errand that is due, as a message may name it: no text, and not even the record."""

    organization_id: UUID
    id: UUID
    attempts: int


@dataclass(frozen=True, slots=True)
class Work:
    """An errand taken up. `attempts` is its fence: whoever takes it up later raises it."""

    id: UUID
    organization_id: UUID
    record_id: UUID
    kind: str
    attempts: int
    tries: int
    promised_at: datetime


@dataclass(frozen=True, slots=True)
class Tally:
    """How many errands of a kind are `waiting`, `leased` or `dead`, and since when the oldest was promised."""

    kind: str
    state: str
    number: int
    oldest_at: datetime


def announce(record: Record, *, now: datetime, kinds: Collection[ErrandKind] = tuple(ErrandKind)) -> None:
    """Promise work about a record in the caller's transaction; a promise already open is renewed, not doubled."""
    announce_all(record.organization_id, [record.id], now=now, kinds=kinds)


def announce_all(
    organization_id: UUID, record_ids: Iterable[UUID], *, now: datetime, kinds: Collection[ErrandKind]
) -> None:
    """Promise work about many records of one organization, in the caller's transaction."""
    promised = [(uuid7(), record_id, kind.value) for record_id in dict.fromkeys(record_ids) for kind in kinds]
    ids, records, names = (list(column) for column in zip(*promised, strict=True)) if promised else ([], [], [])
    with connection.cursor() as cursor:
        cursor.execute(
            _PROMISE, {"organization": organization_id, "now": now, "ids": ids, "records": records, "kinds": names}
        )


def ring(kind: ErrandKind, *, now: datetime, until: datetime, each: int, most: int) -> list[Rung]:
    """Return due errands of any organization, at most `each` of one, and keep them from ringing again until `until`.

    `most` bounds what is rung and not yet done, this call's included. Nothing else of the errands is told.
    """
    with connection.cursor() as cursor:
        cursor.execute(_RING, [kind.value, now, until, each, most])
        return [Rung(*row) for row in cursor.fetchall()]


def unring(organization_id: UUID, rung: Iterable[Rung], *, now: datetime) -> None:
    """Let errands ring again at once whose message could not be sent. Needs the organization's transaction."""
    for errand in rung:
        mine = Errand.objects.filter(organization_id=organization_id, id=errand.id, attempts=errand.attempts)
        mine.update(due_at=now, leased_until=None)


def take(
    organization_id: UUID, kind: ErrandKind, rung: Mapping[UUID, int], *, now: datetime, until: datetime, tries: int
) -> list[Work]:
    """Take errands up until `until`, or none of those that somebody took since they rang.

    One whose worker was lost on the last of its `tries` is buried instead. Needs the organization's transaction.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            _TAKE,
            {
                "organization": organization_id,
                "kind": kind.value,
                "until": until,
                "ids": list(rung),
                "attempts": list(rung.values()),
            },
        )
        taken = [Work(*row) for row in cursor.fetchall()]
    for work in taken:
        if work.tries > tries:
            _mine(work).update(dead_at=now, leased_until=None, problem="WorkerLost")
    return [work for work in taken if work.tries <= tries]


def settle(work: Work) -> bool:
    """Strike the errand out, or say that it is somebody else's by now: then its effect must not be written.

    Called first in the transaction that writes the effect. The row stays locked until that transaction ends.
    """
    number, _ = _mine(work).delete()
    return number == 1


def postpone(work: Work, *, problem: str, now: datetime, tries: int) -> None:
    """Put off an errand that failed, longer each time, and give it up after so many tries.

    `problem` is a class of errors and never a message: that may quote a record.
    """
    if work.tries >= tries:
        _mine(work).update(dead_at=now, leased_until=None, problem=problem[:200])
    else:
        _mine(work).update(due_at=now + _pause(work.tries), leased_until=None, problem=problem[:200])


def wait(works: Sequence[Work], *, problem: str, now: datetime, pause: timedelta | None = None) -> None:
    """Put off errands that could not be tried, through nobody's fault of theirs: that doesn't count as a try."""
    for work in works:
        due_at = now + (pause or _pause(min(work.attempts, 5)))
        _mine(work).update(due_at=due_at, leased_until=None, tries=F("tries") - 1, problem=problem[:200])


def revive(organization_id: UUID, *, now: datetime) -> int:
    """Give an organization's errands that were given up another chance, and say how many."""
    given_up = Errand.objects.filter(organization_id=organization_id, dead_at__isnull=False)
    return given_up.update(dead_at=None, tries=0, due_at=now)


def tally(*, now: datetime) -> list[Tally]:
    """Count the errands of all organizations by kind and state: numbers only."""
    with connection.cursor() as cursor:
        cursor.execute(_TALLY, [now])
        return [Tally(*row) for row in cursor.fetchall()]


def _mine(work: Work) -> models.QuerySet[Errand]:
    return Errand.objects.filter(organization_id=work.organization_id, id=work.id, attempts=work.attempts)


def _pause(failures: int) -> timedelta:
    """Double with every failure; half of it by chance, so that what failed together doesn't return together."""
    whole: timedelta = min(FIRST_PAUSE * 2 ** max(failures - 1, 0), LONGEST_PAUSE)
    return whole / 2 + whole / 2 * random.random()  # noqa: S311 — no secret hangs on it
