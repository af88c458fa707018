"""How much comes back for what isn't there: the questions of one conversation, put to the records of another."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import mean
from typing import Any

import pytest

from tests.quality import metrics
from tests.quality.sets import NOT_COUNTED, Question
from tests.quality.store import Store

ASKED = 40  # questions of a set at most
SCORES = (0.0, 0.1, 0.2, 0.25, 0.3, 0.4, 0.5)  # ranking.ANSWERS
COSINES = (20, 24, 28, 32)  # EMBEDDINGS_FLOOR_PERCENT


@dataclass(frozen=True, slots=True)
class Point:
    """One floor: of foreign questions the share without any result and how many results (of 20); of its own, recall."""

    silent: float
    results: float
    recall_10: float


def of_scores(store: Store, questions: Sequence[Question]) -> Mapping[float, Point]:
    """Try every floor for the score as a whole."""
    with pytest.MonkeyPatch.context() as patch:
        found = {}
        for floor in SCORES:
            patch.setattr("memory.search.retrieve.ANSWERS", floor)
            found[floor] = _point(store, questions)
        return found


def of_cosines(store: Store, questions: Sequence[Question], settings: Any) -> Mapping[float, Point]:
    """Try every floor for what answers by its meaning alone."""
    before, found = settings.EMBEDDINGS_FLOOR_PERCENT, {}
    for floor in COSINES:
        settings.EMBEDDINGS_FLOOR_PERCENT = floor
        found[floor / 100] = _point(store, questions)
    settings.EMBEDDINGS_FLOOR_PERCENT = before
    return found


def _point(store: Store, questions: Sequence[Question]) -> Point:
    counted = [question for question in questions if question.category not in NOT_COUNTED]
    asked = counted[:: -(-len(counted) // ASKED)]
    own = [metrics.judge(store.search(question), question.answers).recall_10 for question in asked]
    foreign = [len(store.search(question)) for question in _elsewhere(store, asked)]
    return Point(mean(count == 0 for count in foreign), mean(foreign), mean(own))


def _elsewhere(store: Store, questions: Sequence[Question]) -> list[Question]:
    """The same questions, each put to the next conversation."""
    names = sorted(store.contents)
    following = dict(zip(names, names[1:] + names[:1], strict=True))
    return [replace(question, workspace=following[question.workspace]) for question in questions]
