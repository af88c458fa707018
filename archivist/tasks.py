"""Celery's side: messages carry ids by name, may come twice, late or never, and from an older or newer release.

Names and queues never change. Unknown arguments are let be, so that old and new workers can work side by side.
"""

import logging
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

from celery import shared_task
from django.conf import settings
from django.utils import timezone

from archivist import relay
from archivist.working import Terms, do
from memory import replays
from memory.models.outbox import ErrandKind
from memory.outbox import Rung

log = logging.getLogger("palimpsest.archivist")


@shared_task(name="archivist.relay")
def ring(**_: Any) -> None:
    """Ring for what is due."""
    again_after = timedelta(seconds=settings.WORK_RING_SECONDS)
    _quietly(lambda: relay.ring_all(now=timezone.now(), again_after=again_after, send=_send))


@shared_task(name="archivist.embed_records")
def embed_records(*, organization: str, errands: Sequence[tuple[str, int]], **_: Any) -> None:
    """Give records their vectors."""
    _do(ErrandKind.EMBED, organization, errands)


@shared_task(name="archivist.scan_records")
def scan_records(*, organization: str, errands: Sequence[tuple[str, int]], **_: Any) -> None:
    """Apply the present redaction rules to records."""
    _do(ErrandKind.SCAN, organization, errands)


@shared_task(name="archivist.review_record")
def review_record(*, organization: str, errands: Sequence[tuple[str, int]], **_: Any) -> None:
    """Compare a record with its neighbours."""
    _do(ErrandKind.REVIEW, organization, errands)


@shared_task(name="archivist.purge")
def purge(**_: Any) -> None:
    """Drop answers kept for replay that are past their day."""
    _quietly(lambda: replays.purge(now=timezone.now()))


_TASKS = {
    ErrandKind.EMBED: embed_records,
    ErrandKind.SCAN: scan_records,
    ErrandKind.REVIEW: review_record,
}


def _send(kind: ErrandKind, organization_id: UUID, errands: Sequence[Rung]) -> None:
    named = {"organization": str(organization_id), "errands": [(str(rung.id), rung.attempts) for rung in errands]}
    _TASKS[kind].apply_async(kwargs=named, expires=settings.WORK_RING_SECONDS, retry=False)


def _quietly(act: Callable[[], object]) -> None:
    """Do it, and tell a fault by its class and places alone: what it says may quote a row, and Celery would log it."""
    try:
        act()
    except Exception as fault:  # the errands are still promised, and fall due again
        log.exception("task", extra={"fault": type(fault).__name__})


def _do(kind: ErrandKind, organization: str, errands: Sequence[tuple[str, int]]) -> None:
    terms = Terms(lease=timedelta(seconds=settings.WORK_LEASE_SECONDS), tries=settings.WORK_ATTEMPTS)
    rung = {UUID(id): int(attempts) for id, attempts in errands}
    _quietly(lambda: do(kind, UUID(organization), rung, terms=terms, clock=timezone.now))
