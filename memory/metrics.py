"""What the memory counts about itself. Names and numbers: never a text, an organization or a key.

With PROMETHEUS_MULTIPROC_DIR in the environment, the numbers of all processes of one machine are added up.
"""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from prometheus_client import Counter, Histogram

from orgs.errors import Refusal

_QUICK = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)

VERBS = Counter("palimpsest_verbs", "Calls of a verb, by how they ended.", ["verb", "outcome"])
VERB_SECONDS = Histogram("palimpsest_verb_seconds", "How long a verb took.", ["verb"], buckets=_QUICK)
REDACTIONS = Counter("palimpsest_redactions", "Secrets taken out of texts.", ["kind"])
EMBEDDER_CALLS = Counter("palimpsest_embedder_calls", "Questions to the embedder, by how they ended.", ["outcome"])
EMBEDDER_SECONDS = Histogram("palimpsest_embedder_seconds", "How long the embedder took.", buckets=_QUICK)


@dataclass(slots=True)
class Ending:
    """How a measured call ended; whoever measures may say it in another word than `ok`."""

    outcome: str = "ok"


@contextmanager
def measured_verb(name: str) -> Iterator[Ending]:
    """Count and time one call of a declared verb: `ok`, a refusal's code, or `fault`."""
    ending, started = Ending(), time.perf_counter()
    try:
        yield ending
    except Refusal as refusal:
        ending.outcome = refusal.code
        raise
    except BaseException:
        ending.outcome = "fault"
        raise
    finally:
        VERBS.labels(name, ending.outcome).inc()
        VERB_SECONDS.labels(name).observe(time.perf_counter() - started)


@contextmanager
def measured_embedder() -> Iterator[Ending]:
    """Count and time one question to the embedder: `ok` or the class of what went wrong."""
    ending, started = Ending(), time.perf_counter()
    try:
        yield ending
    except BaseException as error:
        ending.outcome = type(error).__name__
        raise
    finally:
        EMBEDDER_CALLS.labels(ending.outcome).inc()
        EMBEDDER_SECONDS.observe(time.perf_counter() - started)


def count_redactions(kinds: Mapping[str, int]) -> None:
    """Count what redaction took out, by kind."""
    for kind, number in kinds.items():
        REDACTIONS.labels(kind).inc(number)
