"""Records for the archivist to read, written as callers write them, and its work without a broker."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from archivist.judges import Bearing, Finding, Told
from archivist.review import review
from memory import outbox
from memory.models import Errand, Record
from memory.models.outbox import ErrandKind
from memory.outbox import Work
from memory.queries.listing import one_record
from memory.verbs.running import run
from orgs.caller import Caller
from orgs.tenancy import acting_for


@dataclass
class Scripted:
    """A judge that says what a test wrote down, and counts how often it was asked."""

    says: Sequence[Any] = ()
    name: str = "scripted"
    version: str = "1"
    seen: list[list[UUID]] = field(default_factory=list)

    def judge(self, new: Told, older: Sequence[Told]) -> Sequence[Finding]:
        """Answer as written."""
        self.seen.append([told.id for told in older])
        return list(self.says)


def remember(caller: Caller, content: str, *, now: datetime, **fields: object) -> Any:
    """Write a record and return its row."""
    answer: Any = run("remember", caller, {"content": content, **fields}, now=now).answer
    return read(caller, UUID(str(answer.id)))


def read(caller: Caller, id: UUID) -> Any:
    """Return the row of a record, whose optional fields a test knows to be there."""
    with acting_for(caller.organization_id):
        return Record.objects.get(id=id)


def search_for(caller: Caller, id: UUID, *, now: datetime) -> Any:
    """Return a record as the caller is shown it, with status, confidence and relations."""
    return one_record(caller, id, now=now)


def finds(about: Record, bearing: Bearing, weight: float = 1.0) -> Finding:
    """Write down one finding."""
    return Finding(about=about.id, bearing=bearing, weight=weight, reason="because")


def take(record: Record, kind: ErrandKind, *, now: datetime) -> Work:
    """Take up a record's errand, promised again if it was done before."""
    with acting_for(record.organization_id):
        errands = Errand.objects.filter(record=record, kind=kind)
        if not errands.exists():
            outbox.announce(record, now=now, kinds=[kind])
        errand = errands.get()
        until = now + timedelta(minutes=1)
        [work] = outbox.take(record.organization_id, kind, {errand.id: errand.attempts}, now=now, until=until, tries=99)
    return work


def reviewed(record: Record, judge: Scripted, *, now: datetime) -> bool:
    """Review a record at once, without its vector."""
    work = take(record, ErrandKind.REVIEW, now=now)
    with acting_for(record.organization_id):
        Errand.objects.filter(record=record, kind=ErrandKind.EMBED).delete()
    return review(work, judge=judge, now=now)
