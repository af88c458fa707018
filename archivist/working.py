"""Takes errands up, does them, and says what became of them: done, put off, or given up."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from archivist.embedding import Outage, embed
from archivist.judges.offline import Offline
from archivist.metrics import DELAY_SECONDS, ERRANDS
from archivist.review import review
from archivist.scanning import scan
from memory import outbox
from memory.models.outbox import ErrandKind
from memory.outbox import Work
from orgs.tenancy import acting_for

log = logging.getLogger("palimpsest.archivist")

Clock = Callable[[], datetime]
Act = Callable[[Sequence[Work], datetime], int]
"""Does errands and says how many were done with: the others were put off, or are somebody else's by now."""

JUDGE = Offline()


def _embed(works: Sequence[Work], _: datetime) -> int:
    return embed(works)


def _scan(works: Sequence[Work], now: datetime) -> int:
    return sum(scan(work, now=now) for work in works)


def _review(works: Sequence[Work], now: datetime) -> int:
    return sum(review(work, judge=JUDGE, now=now) for work in works)


ACTS: Mapping[ErrandKind, Act] = {ErrandKind.EMBED: _embed, ErrandKind.SCAN: _scan, ErrandKind.REVIEW: _review}


@dataclass(frozen=True, slots=True)
class Terms:
    """How long an errand may be held, and how often it is tried before a person has to look at it."""

    lease: timedelta
    tries: int


def do(kind: ErrandKind, organization_id: UUID, rung: Mapping[UUID, int], *, terms: Terms, clock: Clock) -> None:
    """Do the errands that a message named, as far as nobody else took them up. Raises only if the database is away."""
    now = clock()
    with acting_for(organization_id):
        works = outbox.take(organization_id, kind, rung, now=now, until=now + terms.lease, tries=terms.tries)
    if works:
        _do_together(kind, works, terms=terms, clock=clock)


def _do_together(kind: ErrandKind, works: Sequence[Work], *, terms: Terms, clock: Clock) -> None:
    """Do all at once; if that fails, one by one, so that one bad errand doesn't drag the others down."""
    try:
        done = ACTS[kind](works, clock())
    except Outage as outage:
        _tell(kind, works, "waits", fault=outage)
        with acting_for(works[0].organization_id):
            outbox.wait(works, problem=type(outage).__name__, now=clock())
    except Exception as fault:  # noqa: BLE001 — an errand may fail in any way; it is put off, and counted
        if len(works) > 1:
            for work in works:
                _do_together(kind, [work], terms=terms, clock=clock)
            return
        _tell(kind, works, "failed", fault=fault)
        with acting_for(works[0].organization_id):
            outbox.postpone(works[0], problem=type(fault).__name__, now=clock(), tries=terms.tries)
    else:
        _tell(kind, works, "done" if done == len(works) else "passed")
        if done == len(works):
            for work in works:
                DELAY_SECONDS.labels(kind.value).observe((clock() - work.promised_at).total_seconds())


def _tell(kind: ErrandKind, works: Sequence[Work], outcome: str, *, fault: Exception | None = None) -> None:
    ERRANDS.labels(kind.value, outcome).inc(len(works))
    said = {"task": kind.value, "organization": works[0].organization_id, "outcome": outcome, "count": len(works)}
    if fault is None:
        log.info("errands", extra=said)
    else:
        # Where it happened, but not what it said: an error's message may quote a record.
        log.warning("errands", extra={**said, "fault": type(fault).__name__}, exc_info=fault)
