"""What an agent may be told to use: the verbs, the operations, and what the team registered for the project."""

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from memory.models import Capability
from memory.protocol import shapes
from memory.protocol.operations import OPERATIONS
from memory.protocol.verbs import LIVE
from memory.search.words import words_of
from orgs.caller import Caller

MOST = 5

Kind = Literal["verb", "operation", "capability"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that can be used, and the words that speak for it."""

    name: str
    kind: Kind
    says: str


def suggested(caller: Caller, question: str) -> list[shapes.Suggestion]:
    """Return what fits a question, best first. One query."""
    entries = [*BUILT_IN, *_registered(caller)]
    asked = _words(question)
    documents = [(entry, _words(f"{entry.name} {entry.says}")) for entry in entries]
    spread = Counter(word for _, words in documents for word in words)
    scored = [(_score(asked & words, spread, len(entries)), entry) for entry, words in documents]
    best = sorted((one for one in scored if one[0] > 0), key=lambda one: (-one[0], one[1].name))[:MOST]
    return [
        shapes.Suggestion(name=entry.name, kind=entry.kind, reason=entry.says, score=round(score, 3))
        for score, entry in best
    ]


def _registered(caller: Caller) -> Iterable[Entry]:
    rows = Capability.objects.filter(organization_id=caller.organization_id, project_id__in=caller.readable_projects)
    return [Entry(row.name, "capability", f"{row.description} {row.when}") for row in rows.order_by("name")[:1_000]]


def _words(text: str) -> frozenset[str]:
    return frozenset(word for word, step in words_of(text) if step and len(word) > 1)


def _score(shared: frozenset[str], spread: Counter[str], entries: int) -> float:
    return sum(math.log(1 + entries / spread[word]) for word in shared)


BUILT_IN = (
    *(Entry(verb.name, "verb", verb.summary) for verb in LIVE.values()),
    *(Entry(name, "operation", summary) for name, summary in OPERATIONS.items()),
)
