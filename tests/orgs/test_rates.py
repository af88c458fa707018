"""Calls are counted a minute long, for keys and organizations that have a limit, and refused beyond it."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from orgs import rates
from orgs.caller import Caller, Limits
from orgs.errors import TooMany
from orgs.roles import Role, Visibility

NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


@pytest.fixture
def caller() -> Caller:
    """Come from an organization that nobody counted before."""
    nobody: frozenset = frozenset()
    return Caller(
        organization_id=uuid4(),
        user_id=uuid4(),
        role=Role.MEMBER,
        key_id=uuid4(),
        home_department_id=None,
        reachable_departments=nobody,
        projects={},
        project_id=None,
        workspaces=nobody,
        every_workspace=True,
        reads_organization=True,
        default_visibility=Visibility.PROJECT,
        greatest_visibility=Visibility.PROJECT,
        limits=Limits(calls_of_key=3),
    )


@pytest.fixture
def without_redis(settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    settings.REDIS_URL = "unix:///nowhere/valkey.sock"
    monkeypatch.setattr(rates, "_resting", rates._Resting())
    rates._script.cache_clear()
    yield
    rates._script.cache_clear()


def left(caller: Caller, *seconds: float) -> list[int]:
    """Call after so many seconds each; say how many calls the first limit leaves."""
    return [rates.count(caller, now=NOON + timedelta(seconds=at))[0].left for at in seconds]


def test_calls_beyond_the_limit_are_refused_and_count_for_nothing(caller: Caller) -> None:
    assert left(caller, 0, 10, 20, 30, 40, 50) == [2, 1, 0, -1, -1, -1]
    standing = rates.count(caller, now=NOON + timedelta(seconds=50))
    with pytest.raises(TooMany) as refused:
        rates.require_room(standing)
    assert (refused.value.data, refused.value.wait) == ({"limit": 3, "of": "key"}, 30)
    assert left(caller, 50 + 30) == [0]


def test_a_minute_slides(caller: Caller) -> None:
    assert left(caller, 58, 58, 58, 61, 119) == [2, 1, 0, -1, 1]
    assert left(caller, 600) == [2]


def test_the_wait_is_until_the_next_call_fits(caller: Caller) -> None:
    left(caller, *(50,) * 3)
    for second in range(51, 120):
        (rate,) = rates.count(caller, now=NOON + timedelta(seconds=second))
        if rate.left >= 0:
            break
        assert second + rate.wait >= 80
    assert second == 80  # a third of the last minute's three calls is over


def test_the_organizations_limit_holds_for_all_of_its_keys(caller: Caller) -> None:
    both = replace(caller, limits=Limits(calls_of_key=3, calls_of_organization=4))
    other = replace(both, key_id=uuid4())
    assert left(both, 0, 0, 0) == [2, 1, 0]
    assert [rate.left for rate in rates.count(other, now=NOON)] == [2, 0]
    standing = rates.count(other, now=NOON)
    with pytest.raises(TooMany) as refused:
        rates.require_room(standing)
    assert refused.value.data == {"limit": 4, "of": "organization"}
    assert left(replace(other, organization_id=uuid4()), 0) == [2]


def test_of_many_calls_at_the_same_moment_exactly_as_many_pass_as_may(caller: Caller) -> None:
    many = replace(caller, limits=Limits(calls_of_key=10, calls_of_organization=12))
    others = replace(many, key_id=uuid4())
    with ThreadPoolExecutor(16) as threads:
        told = list(threads.map(lambda one: rates.count(one, now=NOON), [many, others] * 40))
    assert sum(all(rate.left >= 0 for rate in standing) for standing in told) == 12


def test_without_redis_calls_pass_and_that_is_told(caller: Caller, without_redis: None, caplog) -> None:
    before = rates.UNCOUNTED._value.get()
    assert [rates.count(caller, now=NOON) for _ in range(9)] == [()] * 9
    assert rates.UNCOUNTED._value.get() == before + 1, "and it is not asked again at once"
    assert [record.message for record in caplog.records] == ["calls are not counted"]


def test_without_a_limit_redis_is_not_asked(caller: Caller, without_redis: None) -> None:
    before = rates.UNCOUNTED._value.get()
    assert rates.count(replace(caller, limits=Limits(records=5)), now=NOON) == ()
    assert rates.UNCOUNTED._value.get() == before


def test_one_round_trip_counts_every_limit(caller: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    both = replace(caller, limits=Limits(calls_of_key=3, calls_of_organization=4))
    rates.count(both, now=NOON)  # the script is known from here on
    sent: list[str] = []
    client = rates._script().registered_client
    execute = client.execute_command
    monkeypatch.setattr(client, "execute_command", lambda *said, **told: sent.append(said[0]) or execute(*said, **told))
    rates.count(both, now=NOON)
    assert sent == ["EVALSHA"]
