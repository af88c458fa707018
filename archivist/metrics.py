"""What the archivist counts about itself, and all metrics in the format of Prometheus."""

import os
from collections.abc import Iterator
from datetime import datetime

from django.utils import timezone
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from memory import outbox
from memory.models.outbox import ErrandKind

STATES = ("waiting", "leased", "dead")

DELAY_SECONDS = Histogram(
    "palimpsest_archivist_delay_seconds",
    "From the commit of a record to the end of its errand.",
    ["kind"],
    buckets=(0.5, 1, 2, 3, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600, 21600, 86400),
)
ERRANDS = Counter("palimpsest_errands_done", "Errands that were tried, by how they ended.", ["kind", "outcome"])
FINDINGS = Counter("palimpsest_archivist_findings", "Findings of judges: followed or dropped.", ["fate"])


class Outbox(Collector):
    """Counts the errands in the database whenever it is asked; the same on every machine."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield how many errands there are, and how old the oldest is, by kind and state."""
        now = timezone.now()
        tallied = {(tally.kind, tally.state): tally for tally in outbox.tally(now=now)}
        number = GaugeMetricFamily("palimpsest_errands", "Errands in the outbox.", labels=["kind", "state"])
        age = GaugeMetricFamily("palimpsest_errands_oldest_seconds", "Age of the oldest.", labels=["kind", "state"])
        for place in ((kind.value, state) for kind in ErrandKind for state in STATES):
            tally = tallied.get(place)
            number.add_metric(place, tally.number if tally else 0)
            age.add_metric(place, _age(tally.oldest_at, now) if tally else 0)
        yield number
        yield age


def exposition() -> tuple[bytes, str]:
    """Return all metrics as text, and its content type. Needs the database for the outbox's."""
    outbox_only = CollectorRegistry()
    outbox_only.register(Outbox())
    processes = REGISTRY
    if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        processes = CollectorRegistry()
        MultiProcessCollector(processes)  # type: ignore[no-untyped-call]  # the library leaves it untyped
    return generate_latest(processes) + generate_latest(outbox_only), CONTENT_TYPE_LATEST


def _age(since: datetime, now: datetime) -> float:
    return max(0.0, (now - since).total_seconds())
