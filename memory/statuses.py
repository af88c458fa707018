"""The rule of statuses: from what the caller may see of a record's versions, sources and successors. Pure.

Nothing here asks a database and nothing is stored: facts go in, a standing comes out. `memory.standing`
gathers the facts through the caller's lens, so that a hidden record can never be among them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from memory.protocol.vocabulary import Reason, Status
from memory.sources import differs

MOST_IDS = 20


@dataclass(frozen=True, slots=True)
class SourceNow:
    """The caller's word on what sources hash to now: one hash for all, or one per source_id; both as digests."""

    digest: str = ""
    by_source: Mapping[str, str] = field(default_factory=dict)

    def of(self, source_id: str | None) -> str:
        """Return the digest to compare a record of this source with ("" for none)."""
        return self.by_source.get(source_id or "", self.digest)


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What the caller may see about one record. `rivals`: live versions that differ, newest first."""

    id: UUID
    source_id: str | None
    source_digest: str
    forgotten: bool = False
    superseded_by: UUID | None = None
    refuted_by: Sequence[UUID] = ()
    valid_until: datetime | None = None
    rivals: Sequence[UUID] = ()
    sources: Sequence[UUID] = ()


@dataclass(frozen=True, slots=True)
class Ground:
    """One reason of a standing; `ids` are cut at MOST_IDS, `count` is not."""

    reason: Reason
    ids: tuple[UUID, ...] = ()
    count: int = 0


@dataclass(frozen=True, slots=True)
class Standing:
    """A status with its reasons, worst first."""

    status: Status
    grounds: tuple[Ground, ...] = ()


def standings(facts: Mapping[UUID, Facts], *, now: datetime, source_now: SourceNow) -> dict[UUID, Standing]:
    """Return the standing of every record in `facts`; summaries take the worst of their sources, at any depth."""
    settled: dict[UUID, Standing] = {}
    for id in _sources_first(facts):
        grounds = [*_own_grounds(facts[id], now=now, source_now=source_now), *_inherited(facts[id], facts, settled)]
        grounds.sort(key=lambda ground: -ground.reason.status.gravity)
        settled[id] = Standing(grounds[0].reason.status if grounds else Status.UNVERIFIED, tuple(grounds))
    return settled


def _own_grounds(record: Facts, *, now: datetime, source_now: SourceNow) -> list[Ground]:
    grounds = []
    if record.rivals:
        grounds.append(_ground(Reason.OTHER_VERSIONS, record.rivals))
    if differs(record.source_digest, source_now.of(record.source_id)):
        grounds.append(Ground(Reason.SOURCE_CHANGED))
    if record.refuted_by:
        grounds.append(_ground(Reason.REFUTED, record.refuted_by))
    if record.superseded_by:
        grounds.append(_ground(Reason.SUPERSEDED, [record.superseded_by]))
    if record.valid_until and record.valid_until <= now:
        grounds.append(Ground(Reason.EXPIRED))
    return grounds


def _inherited(record: Facts, facts: Mapping[UUID, Facts], settled: Mapping[UUID, Standing]) -> list[Ground]:
    known = [id for id in record.sources if id in facts]
    forgotten = [id for id in known if facts[id].forgotten]
    grounds = [
        _ground(reason, matching)
        for reason, status in ((Reason.SOURCE_CONFLICT, Status.CONFLICT), (Reason.SOURCE_STALE, Status.STALE))
        if (matching := [id for id in known if id in settled and settled[id].status is status and id not in forgotten])
    ]
    # A forgotten source is counted, not named: its id leads nowhere any more.
    if forgotten:
        grounds.append(Ground(Reason.SOURCE_FORGOTTEN, count=len(forgotten)))
    below = [id for id in forgotten if id in settled and settled[id].status is Status.CONFLICT]
    if below:
        grounds.append(Ground(Reason.SOURCE_CONFLICT, count=len(below)))
    return grounds


def _ground(reason: Reason, ids: Sequence[UUID]) -> Ground:
    return Ground(reason, tuple(ids[:MOST_IDS]), len(ids))


def _sources_first(facts: Mapping[UUID, Facts]) -> list[UUID]:
    """Return the ids so that every source stands before its summaries; without recursion, any depth is fine."""
    order: list[UUID] = []
    entered: set[UUID] = set()
    stack = [(id, False) for id in reversed(list(facts))]
    while stack:
        id, sources_done = stack.pop()
        if sources_done:
            order.append(id)
        elif id not in entered:
            entered.add(id)
            stack.append((id, True))
            stack.extend((source, False) for source in facts[id].sources if source in facts)
    return order
