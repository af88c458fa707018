"""The broker is only a doorbell: whatever happens to it, every record gets its errands done."""

import time
from typing import Any

from django.utils import timezone

from memory.verbs.running import run
from tests.deploy.watching import eventually


def test_a_record_is_scanned_embedded_and_reviewed(archivist):
    archivist.start()
    id = archivist.remember("The staging server is updated on Wednesdays.")
    assert archivist.finishes([id])
    record = archivist.read(id)
    assert record.embedding.model == "of-the-test"
    assert record.scanned_with
    assert record.fact_key.startswith("archivist:")


def test_fc30_what_was_written_while_the_broker_was_away_is_done_when_it_returns(archivist):
    archivist.start()
    first = archivist.remember("Written while all is well.")
    assert archivist.finishes([first])
    archivist.broker.kill()
    started = time.monotonic()
    ids = [archivist.remember(f"Written without a broker, number {number}.") for number in range(30)]
    assert time.monotonic() - started < 10
    found: Any = run("search", archivist.caller, {"query": "without a broker"}, now=timezone.now()).answer
    assert found.results
    time.sleep(3)
    assert len(archivist.open_errands(ids)) == 90
    archivist.broker.start()
    assert archivist.finishes(ids, within=120)


def test_fc30_a_broker_that_was_emptied_loses_nothing(archivist):
    archivist.broker.start()
    archivist.beat.start()
    ids = [archivist.remember(f"In a queue that will be emptied, number {number}.") for number in range(10)]
    worker = archivist.add_worker()
    assert eventually(lambda: "ready" in worker.said, within=60)
    for _ in range(5):
        with archivist.broker.client() as client:
            client.flushall()
        time.sleep(0.3)
    assert archivist.finishes(ids)


LAST = "that was all"


def test_fc45_the_broker_never_sees_a_word_of_a_record(archivist):
    archivist.broker.start()
    archivist.beat.start()
    seen: list[str] = []
    with archivist.broker.client() as client, client.monitor() as monitor:
        worker = archivist.add_worker()
        id = archivist.remember("Zanzibar keeps the ledger.", source_id="docs/zanzibar.md", tags=["zanzibar"])
        deadline, over = time.monotonic() + 60, False
        for command in monitor.listen():
            seen.append(command["command"])
            if LAST in seen[-1]:
                break
            if not over and (not archivist.open_errands([id]) or time.monotonic() > deadline):
                over = bool(client.echo(LAST))  # what was said before this is still to be heard
    assert not archivist.open_errands([id])
    assert any("archivist.embed_records" in command for command in seen)
    assert not [command for command in seen if "anzibar" in command]
    assert "anzibar" not in worker.said
