"""A promise is kept once, by whoever took it up last, whatever happens to messages and workers."""

from datetime import timedelta

import pytest
from django.db import connection

from memory import outbox
from memory.models import Errand
from memory.models.outbox import ErrandKind
from orgs.tenancy import acting_for
from tests.archivist.writing import remember, take

SOON = timedelta(seconds=30)
EMBED = ErrandKind.EMBED


@pytest.fixture
def ada(cast, now):
    return cast.ada.by_key(now=now)


@pytest.fixture
def record(ada, now):
    return remember(ada, "The port is 8080.", now=now)


def ring(now, *, most=100, each=100):
    return outbox.ring(EMBED, now=now, until=now + SOON, each=each, most=most)


def errand(record):
    with acting_for(record.organization_id):
        return Errand.objects.get(record=record, kind=EMBED)


def settled(work):
    with acting_for(work.organization_id):
        return outbox.settle(work)


def test_fc36_a_write_that_fails_late_promises_nothing(ada, now):
    class TooLate(Exception):
        pass

    def write_and_fail():
        with acting_for(ada.organization_id):
            remember(ada, "Never kept.", now=now)
            raise TooLate

    with pytest.raises(TooLate):
        write_and_fail()
    assert ring(now) == []


def test_a_record_brings_one_errand_of_each_kind(record):
    with acting_for(record.organization_id):
        assert sorted(Errand.objects.filter(record=record).values_list("kind", flat=True)) == [
            "embed",
            "review",
            "scan",
        ]


def test_what_rang_does_not_ring_again_until_its_time(record, now):
    [rung] = ring(now)
    assert rung == outbox.Rung(record.organization_id, errand(record).id, 0)
    assert ring(now) == []
    assert ring(now + SOON) == [rung]


def test_what_could_not_be_sent_rings_again_at_once(record, now):
    rung = ring(now)
    with acting_for(record.organization_id):
        outbox.unring(record.organization_id, rung, now=now)
    assert ring(now) == rung


def test_a_message_that_comes_twice_is_taken_up_once(record, now):
    [rung] = ring(now)
    with acting_for(record.organization_id):
        given = (record.organization_id, EMBED, {rung.id: rung.attempts})
        terms = {"now": now, "until": now + SOON, "tries": 5}
        assert [len(outbox.take(*given, **terms)) for _ in range(3)] == [1, 0, 0]


def test_whoever_took_it_up_last_settles_it_and_nobody_else(record, now):
    first, second = take(record, EMBED, now=now), take(record, EMBED, now=now)
    assert [settled(first), settled(second), settled(second)] == [False, True, False]


def test_a_promise_made_anew_is_not_settled_by_work_on_what_was_before(record, now):
    work = take(record, EMBED, now=now)
    with acting_for(record.organization_id):
        outbox.announce(record, now=now, kinds=[EMBED])
    assert not settled(work)
    assert errand(record).due_at == now + timedelta(minutes=1), "not before that work's lease is over"


def test_failures_put_it_off_longer_each_time_and_then_give_it_up(record, now):
    pauses = []
    for _ in range(3):
        work = take(record, EMBED, now=now)
        with acting_for(record.organization_id):
            outbox.postpone(work, problem="ValueError", now=now, tries=3)
        pauses.append((errand(record).due_at - now).total_seconds())
    assert 1 <= pauses[0] <= 2 <= pauses[1] <= 4
    assert (errand(record).dead_at, errand(record).problem, errand(record).tries) == (now, "ValueError", 3)
    assert ring(now + timedelta(days=9)) == []


def test_a_worker_that_is_lost_every_time_is_a_failure_too(record, now):
    for _ in range(3):
        take(record, EMBED, now=now)
    [rung] = ring(now + timedelta(minutes=2))
    with acting_for(record.organization_id):
        rung_now = {rung.id: rung.attempts}
        assert outbox.take(record.organization_id, EMBED, rung_now, now=now, until=now + SOON, tries=3) == []
    assert (errand(record).dead_at, errand(record).problem) == (now, "WorkerLost")


def test_an_outage_costs_no_tries(record, now):
    for _ in range(20):
        work = take(record, EMBED, now=now)
        with acting_for(record.organization_id):
            outbox.wait([work], problem="Outage", now=now)
    assert (errand(record).tries, errand(record).dead_at) == (0, None)


def test_what_was_given_up_gets_another_chance_when_a_person_says_so(record, now):
    work = take(record, EMBED, now=now)
    with acting_for(record.organization_id):
        outbox.postpone(work, problem="ValueError", now=now, tries=1)
        assert outbox.revive(record.organization_id, now=now) == 1
    assert len(ring(now)) == 1


def test_a_burst_of_one_organization_leaves_room_for_another(cast, ada, now):
    eve = cast.eve.by_key(now=now)
    burst = [remember(ada, f"Burst, number {number}.", now=now).id for number in range(30)]
    later = remember(eve, "Later, and alone.", now=now + timedelta(seconds=1))
    rung = ring(now + SOON, each=10)
    assert len(rung) == 11
    assert later.organization_id in {one.organization_id for one in rung}
    assert len(burst) == 30


def test_no_more_is_on_its_way_at_one_time_than_may_be(ada, now):
    for number in range(30):
        remember(ada, f"Burst, number {number}.", now=now)
    assert [len(ring(now, most=12)) for _ in range(3)] == [12, 0, 0]


def test_the_numbers_of_all_organizations_are_told_and_nothing_else(record, now):
    with acting_for(record.organization_id):
        outbox.postpone(take(record, EMBED, now=now), problem="ValueError", now=now, tries=1)
    ring_scan = outbox.ring(ErrandKind.SCAN, now=now, until=now + SOON, each=9, most=9)
    assert len(ring_scan) == 1
    tallied = {(tally.kind, tally.state): (tally.number, tally.oldest_at) for tally in outbox.tally(now=now)}
    assert tallied == {("embed", "dead"): (1, now), ("scan", "leased"): (1, now), ("review", "waiting"): (1, now)}


@pytest.mark.parametrize("function", ["memory_ring_errands", "memory_tally_errands", "memory_purge_replays"])
def test_the_functions_that_see_every_organization_are_pinned_and_the_owners(db, function):
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT prosecdef, proconfig, proowner::regrole::text, has_function_privilege('public', oid, 'EXECUTE')"
            " FROM pg_proc WHERE proname = %s",
            [function],
        )
        assert cursor.fetchall() == [(True, ["search_path=pg_catalog, public"], "palimpsest_owner", False)]
