"""Sizes and counts, as each caller sees them."""

from datetime import datetime, timedelta
from uuid import UUID

import pytest

from memory.protocol import shapes
from memory.queries import overview
from memory.queries.cursors import Place, cursor_after
from orgs.caller import Caller
from orgs.errors import Invalid
from tests.cast import Cast
from tests.memory.writing import forget, remember


@pytest.fixture
def ada(cast: Cast, now: datetime) -> Caller:
    return cast.ada.by_key(now=now)


def sizes(caller: Caller) -> dict[str, int]:
    return {one.name: one.records for one in overview.workspaces(caller, shapes.WorkspacesInputs()).results}


def test_fc46_workspaces_are_counted_through_the_eyes_of_the_caller(cast: Cast, ada: Caller, now: datetime) -> None:
    remember(ada, "one", now=now)
    remember(ada, "two", now=now, workspace="infra")
    remember(ada, "three", now=now, workspace="infra", visibility="author")
    remember(ada, "four", now=now, workspace="drafts", visibility="author")
    remember(ada, "five", now=now, workspace="public", visibility="organization")
    gone = remember(ada, "six", now=now, workspace="gone")
    forget(ada, now=now, memory_id=str(gone.id))
    assert sizes(ada) == {"default": 1, "drafts": 1, "infra": 2, "public": 1}
    assert sizes(cast.ben.by_key(now=now)) == {"default": 1, "infra": 1, "public": 1}
    assert sizes(cast.dot.by_key(now=now)) == {"public": 1}
    assert sizes(cast.eve.by_key(now=now)) == {}


def test_workspaces_come_page_by_page(ada: Caller, now: datetime) -> None:
    names = ["a", "b", "c", "Ж", "语言"]
    for name in names:
        remember(ada, "one", now=now, workspace=name)
    seen, cursor = [], None
    for _ in range(3):
        page = overview.workspaces(ada, shapes.WorkspacesInputs(limit=2, cursor=cursor))
        seen += [one.name for one in page.results]
        cursor = page.meta.next_cursor
    assert (sorted(seen), cursor) == (sorted(name.casefold() for name in names), None)
    asked = f"{ada.organization_id} workspaces"
    tampered = [cursor_after(Place(after, UUID(int=0)), asked=asked) for after in ("\ud800", "a\0")]
    for wrong in ("x", *tampered):
        with pytest.raises(Invalid):
            overview.workspaces(ada, shapes.WorkspacesInputs(cursor=wrong))


def test_counts_are_those_of_what_the_caller_sees(cast: Cast, ada: Caller, now: datetime) -> None:
    remember(ada, "8080", now=now, fact_key="port")
    remember(ada, "9090", now=now, fact_key="port", visibility="author", workspace="default")
    remember(ada, "old", now=now - timedelta(days=40), valid_until=now.isoformat(), workspace="other")

    def counted(caller: Caller, **asked: object) -> tuple[dict[str, int], dict[str, int]]:
        answer = overview.stats(caller, shapes.StatsInputs.model_validate(asked), now=now)
        assert answer.complete
        assert sum(answer.by_day.values()) == answer.records
        return {status.value: n for status, n in answer.by_status.items() if n}, answer.by_workspace

    assert counted(ada) == ({"conflict": 2, "stale": 1}, {"default": 2, "other": 1})
    assert counted(cast.ben.by_key(now=now)) == ({"unverified": 1, "stale": 1}, {"default": 1, "other": 1})
    assert counted(ada, days=30) == ({"conflict": 2}, {"default": 2})
    assert counted(ada, workspace="other") == ({"stale": 1}, {"other": 1})
    assert counted(cast.eve.by_key(now=now)) == ({}, {})


def test_counting_is_bounded_and_says_so(ada: Caller, now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(overview, "MOST_COUNTED", 2)
    for n in range(3):
        remember(ada, f"{n}", now=now)
    answer = overview.stats(ada, shapes.StatsInputs(), now=now)
    assert (answer.records, answer.complete) == (2, False)
