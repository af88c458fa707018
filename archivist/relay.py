"""Rings for errands that are due, each kind in its own queue and a few at a time: no burst crowds anything out."""

import logging
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from memory import outbox
from memory.models.outbox import ErrandKind
from memory.outbox import Rung
from orgs.tenancy import acting_for

log = logging.getLogger("palimpsest.archivist")

Send = Callable[[ErrandKind, UUID, Sequence[Rung]], None]


@dataclass(frozen=True, slots=True)
class Flow:
    """How a kind of errand travels: so many in one message, so many of one organization at a time, so many in all."""

    together: int
    each: int
    most: int


FLOWS: Mapping[ErrandKind, Flow] = {
    ErrandKind.EMBED: Flow(together=64, each=128, most=512),
    ErrandKind.SCAN: Flow(together=16, each=32, most=256),
    ErrandKind.REVIEW: Flow(together=1, each=16, most=128),
}
"""What is on its way at one moment. The rest waits in the database, where nothing is lost and nobody is crowded out."""


def ring_all(*, now: datetime, again_after: timedelta, send: Send) -> int:
    """Ring for every kind of errand, and say how many messages went out. Raises nothing if the broker is away.

    A message not taken up within `again_after` rings again.
    """
    sent = 0
    for kind, flow in FLOWS.items():
        rung = outbox.ring(kind, now=now, until=now + again_after, each=flow.each, most=flow.most)
        for organization_id, errands in _batches(rung, flow.together):
            sent += _sent(kind, organization_id, errands, send=send, now=now)
    return sent


def _batches(rung: Sequence[Rung], size: int) -> list[tuple[UUID, list[Rung]]]:
    of_one: dict[UUID, list[Rung]] = defaultdict(list)
    for errand in rung:
        of_one[errand.organization_id].append(errand)
    return [
        (organization_id, errands[start : start + size])
        for organization_id, errands in of_one.items()
        for start in range(0, len(errands), size)
    ]


def _sent(kind: ErrandKind, organization_id: UUID, errands: Sequence[Rung], *, send: Send, now: datetime) -> bool:
    try:
        send(kind, organization_id, errands)
    except Exception as error:  # noqa: BLE001 — whatever the broker's client raises, the errand is still promised
        log.warning("doorbell", extra={"outcome": "unsent", "fault": type(error).__name__, "count": len(errands)})
        with acting_for(organization_id):
            outbox.unring(organization_id, errands, now=now)
        return False
    return True
