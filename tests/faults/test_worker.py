"""Workers die, stall and get the same message twice: each effect happens once."""

import os
import signal
import time
from datetime import timedelta

from celery import Celery
from django.utils import timezone

from archivist.models import Comparison, Decision
from memory import outbox
from memory.models import Errand
from memory.models.outbox import ErrandKind
from orgs.tenancy import acting_for
from tests.deploy.watching import eventually


def test_fc24_a_worker_killed_in_the_middle_is_followed_by_another_and_the_effect_happens_once(archivist):
    archivist.embedder.pause = 4
    archivist.start()
    id = archivist.remember("Killed in the middle of it.")
    assert eventually(lambda: archivist.embedder.times("Killed in the middle") == 1, within=120)
    archivist.workers[0].kill()
    archivist.embedder.pause = 0
    archivist.add_worker()
    assert archivist.finishes([id], within=120)
    assert archivist.embedder.times("Killed in the middle") == 2
    with acting_for(archivist.caller.organization_id):
        assert Comparison.objects.filter(record=id).count() == 1
        assert Decision.objects.filter(record=id, what="fact_key").count() == 1


def test_fc48_a_worker_that_sleeps_through_its_lease_writes_nothing_when_it_wakes(archivist):
    archivist.embedder.pause = 2
    archivist.start()
    id = archivist.remember("Put to sleep in the middle of it.")
    assert eventually(lambda: archivist.embedder.times("Put to sleep") == 1, within=120)
    sleeper = archivist.workers[0].running
    os.killpg(sleeper.pid, signal.SIGSTOP)
    archivist.embedder.pause = 0
    archivist.add_worker()
    assert archivist.finishes([id], within=120)
    os.killpg(sleeper.pid, signal.SIGCONT)
    woken = archivist.workers[0]
    assert eventually(lambda: '"outcome": "passed"' in woken.said or "TimeLimit" in woken.said, within=60)
    assert archivist.open_errands([id]) == []
    assert archivist.embedder.times("Put to sleep") == 2


def test_fc48_a_queue_that_nobody_reads_for_longer_than_a_ring_costs_no_tries(archivist):
    archivist.start()
    first = archivist.remember("All is well.")
    assert archivist.finishes([first])
    worker = archivist.workers[0].running
    os.killpg(worker.pid, signal.SIGSTOP)
    ids = [archivist.remember(f"Waits in a queue, number {number}.") for number in range(40)]
    time.sleep(7)
    os.killpg(worker.pid, signal.SIGCONT)
    assert archivist.finishes(ids, within=120)
    assert all(archivist.embedder.times(f"queue, number {number}.") == 1 for number in range(40))


def test_fc48_a_poisoned_record_is_given_up_after_so_many_tries_and_stops_nobody_else(archivist):
    archivist.embedder.poison = "strychnine"
    archivist.broker.start()
    ids = [archivist.remember(f"Wholesome, number {number}.") for number in range(5)]
    poisoned = archivist.remember("A pinch of strychnine.")
    archivist.beat.start()
    archivist.add_worker()
    assert archivist.finishes(ids, within=120)
    assert eventually(lambda: any(errand.dead_at for errand in archivist.open_errands([poisoned])), within=120)
    dead = [errand for errand in archivist.open_errands([poisoned]) if errand.dead_at]
    assert [(errand.kind, errand.tries) for errand in dead] == [("embed", 3)]
    assert "strychnine" not in dead[0].problem
    assert eventually(lambda: len(archivist.open_errands([poisoned])) == 1, within=120)


def test_an_embedder_that_is_away_is_waited_for_and_costs_no_tries(archivist):
    archivist.embedder.broken = True
    archivist.start()
    id = archivist.remember("Waits for the embedder.")

    def embedding() -> list[Errand]:
        return [errand for errand in archivist.open_errands([id]) if errand.kind == "embed"]

    assert eventually(lambda: [errand.attempts >= 3 for errand in embedding()] == [True], within=120)
    assert [(errand.tries, errand.dead_at) for errand in embedding()] in ([(0, None)], [(1, None)])
    archivist.embedder.broken = False
    assert archivist.finishes([id], within=90)


def test_fc24_the_same_message_delivered_five_times_to_two_workers_has_one_effect(archivist):
    archivist.embedder.pause = 1
    archivist.broker.start()
    id = archivist.remember("Sent five times.")
    now = timezone.now()
    rung = outbox.ring(ErrandKind.EMBED, now=now, until=now + timedelta(minutes=5), each=512, most=512)
    [mine] = [one for one in rung if one.organization_id == archivist.caller.organization_id]
    with Celery(broker=archivist.broker.server.url) as sender:
        for _ in range(5):
            named = {"organization": str(mine.organization_id), "errands": [(str(mine.id), mine.attempts)]}
            sender.send_task("archivist.embed_records", kwargs={**named, "from_a_newer_release": 1}, queue="embed")
    archivist.add_worker()
    archivist.add_worker()

    def embeds() -> list[Errand]:
        return [errand for errand in archivist.open_errands([id]) if errand.kind == "embed"]

    assert eventually(lambda: not embeds(), within=120)
    with archivist.broker.client() as client:
        assert eventually(lambda: client.llen("embed") == 0, within=60)
    time.sleep(2)
    assert archivist.embedder.times("Sent five times.") == 1
