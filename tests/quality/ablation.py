"""What each part of the ranking is worth: the product without it, over the same records and questions."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import pytest

from memory.search import words
from memory.search.ranking import Evidence
from memory.search.words import Question
from tests.quality.sets import Question as Asked

Answer = TypeVar("Answer")
NOTHING = "nothing left out"
ASKED = 500  # questions of a set at most

Patches = Sequence[tuple[str, Any]]


def _no_words(text: str) -> Question:
    return Question((), literal=False)


def _all_alike(evidence: Evidence) -> list[float]:
    return [1.0] * (len(evidence.spread) - evidence.rule) + [0.0] * evidence.rule


def _uncut(text: str) -> str:
    return text


def _no_dates(text: str) -> tuple[str, ...]:
    return ()


PARTS: Mapping[str, Patches] = {
    "meaning": [("memory.search.retrieve.embed_question", lambda _: None)],
    "words": [("memory.search.retrieve.question", _no_words)],
    "what was said beside": [("memory.search.ranking.NEARBY", {})],
    "rarity of words": [("memory.search.ranking.rarities", _all_alike)],
    "length of records": [("memory.search.ranking.BRIEF", 0.0)],
    "words that only ask are left out": [("memory.search.words.ASKING", frozenset())],
    "phrases that only ask are left out": [("memory.search.words.without_questions", _uncut)],
    "dates in any spelling": [("memory.search.dates.words_asked", _no_dates)],
    "rules come first for requests": [("memory.search.ranking.RULED", 1.0)],
}


def some(questions: Sequence[Asked]) -> Sequence[Asked]:
    """Return as many questions as there is time for, spread evenly."""
    return questions[:: -(-len(questions) // ASKED)]


def without(part: str, measure: Callable[[], Answer]) -> Answer:
    """Measure with one part taken out."""
    with pytest.MonkeyPatch.context() as patch:
        for target, value in PARTS[part]:
            patch.setattr(target, value)
        words.rule.cache_clear()
        return measure()
