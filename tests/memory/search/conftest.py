"""Records through the verbs, vectors through the real errands, questions through the verb."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from django.utils import timezone

from archivist import working
from memory.models import Errand
from memory.models.outbox import ErrandKind
from memory.verbs.running import run
from orgs.caller import Caller
from orgs.tenancy import acting_for
from tests.cast import Cast

TERMS = working.Terms(lease=timedelta(minutes=5), tries=3)


class Memory:
    """What one caller remembers and asks."""

    def __init__(self, caller: Caller) -> None:
        self.caller = caller

    @property
    def now(self) -> datetime:
        """Read the clock."""
        return timezone.now()

    def remember(self, content: str, **fields: Any) -> UUID:
        """Remember one fact."""
        answer: Any = run("remember", self.caller, {"content": content, **fields}, now=self.now).answer
        return UUID(str(answer.id))

    def ask(self, query: str, **fields: Any) -> Any:
        """Return the whole answer."""
        return run("search", self.caller, {"query": query, **fields}, now=self.now).answer

    def found(self, query: str, **fields: Any) -> list[str]:
        """Return the contents, best first."""
        return [record.content for record in self.ask(query, **fields).results]

    def embed(self) -> None:
        """Give every record that waits for one its vector."""
        organization = self.caller.organization_id
        with acting_for(organization):
            due = list(Errand.objects.filter(organization_id=organization, kind=ErrandKind.EMBED))
        for start in range(0, len(due), 64):
            rung = {errand.id: errand.attempts for errand in due[start : start + 64]}
            working.do(ErrandKind.EMBED, organization, rung, terms=TERMS, clock=timezone.now)


@pytest.fixture
def memory(cast: Cast, now: datetime) -> Memory:
    """Open ada's memory."""
    return Memory(cast.ada.by_key(now=now))


@pytest.fixture
def memory_of(cast: Cast, now: datetime) -> Callable[[str], Memory]:
    """Open anybody's memory."""
    return lambda name: Memory(cast.everybody[name].by_key(now=now))


def all_pages(memory: Memory, query: str, **fields: Any) -> Sequence[Any]:
    """Walk from page to page."""
    pages = [memory.ask(query, **fields)]
    while pages[-1].meta.next_cursor:
        pages.append(memory.ask(query, **fields, cursor=pages[-1].meta.next_cursor))
    return pages
