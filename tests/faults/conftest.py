"""One archivist in real processes for each test, on the test's own database."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.utils import timezone

from memory.models import Errand, Record
from memory.verbs.running import run
from orgs.caller import Caller
from orgs.tenancy import acting_for
from tests.cast import Cast
from tests.conftest import url_of
from tests.deploy.watching import eventually
from tests.faults.servers import DIMENSIONS, Broker, Embedder, Process, celery

LEASE, RING = 10, 3


@dataclass
class Archivist:
    """The broker, the embedder, beat and the workers of one test, and the writer whose records they read."""

    broker: Broker
    embedder: Embedder
    beat: Process
    new_worker: Callable[[], Process]
    caller: Caller
    workers: list[Process]

    def start(self) -> None:
        """Run everything, with one worker."""
        self.broker.start()
        self.beat.start()
        self.add_worker()

    def add_worker(self) -> Process:
        """Run one more worker."""
        worker = self.new_worker()
        self.workers.append(worker)
        worker.start()
        return worker

    def remember(self, content: str, **fields: object) -> UUID:
        """Write a record as a caller does, and return its id."""
        answer: Any = run("remember", self.caller, {"content": content, **fields}, now=timezone.now()).answer
        return UUID(str(answer.id))

    def open_errands(self, ids: list[UUID]) -> list[Errand]:
        """Return the errands of records that are not done."""
        with acting_for(self.caller.organization_id):
            return list(Errand.objects.filter(record__in=ids))

    def finishes(self, ids: list[UUID], *, within: float = 120) -> bool:
        """Wait until nothing is left to do about records."""
        return eventually(lambda: not self.open_errands(ids), within=within)

    def read(self, id: UUID) -> Record:
        """Return a record with its vector."""
        with acting_for(self.caller.organization_id):
            return Record.objects.select_related("embedding").get(id=id)


@pytest.fixture
def archivist(committed_cast: Cast, now: datetime, tmp_path: Path, database_name: str) -> Iterator[Archivist]:
    """Gather the processes; the test starts them. Whatever still runs at the end is killed."""
    broker, embedder = Broker.at(tmp_path), Embedder()
    assert broker.server
    environment = {
        **os.environ,
        "DATABASE_URL": url_of("DATABASE_URL", database_name),
        "REDIS_URL": broker.server.url,
        "EMBEDDINGS_URL": embedder.start(),
        "EMBEDDINGS_MODEL": "of-the-test",
        "EMBEDDINGS_DIMENSIONS": str(DIMENSIONS),
        "WORK_LEASE_SECONDS": str(LEASE),
        "WORK_RING_SECONDS": str(RING),
        "WORK_RELAY_MS": "200",
        "WORK_ATTEMPTS": "3",
    }

    def new_worker() -> Process:
        log = tmp_path / f"worker-{len(gathered.workers)}.log"
        plain = ("--without-gossip", "--without-mingle", "--concurrency", "2", "-n", f"{log.stem}@test")
        return celery("worker", *plain, environment=environment, log=log)

    beat = celery("beat", "--pidfile=", environment=environment, log=tmp_path / "beat.log")
    caller = committed_cast.ada.by_key(now=now)
    gathered = Archivist(broker, embedder, beat, new_worker, caller, [])
    try:
        yield gathered
    finally:
        for process in (*gathered.workers, beat, broker):
            process.kill()
        embedder.stop()
