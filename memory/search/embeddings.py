"""Texts as vectors, from any OpenAI-compatible `/v1/embeddings` endpoint; the only module that speaks to one.

A question that gets no answer is answered by words alone, so its failure is a value here (None). Background work
wants to try again later, so there a failure is raised (EmbedderDown).
"""

import base64
import json
import logging
import os
import sys
import threading
import time
from array import array
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import urllib3
from django.conf import settings
from urllib3.util import Retry, Timeout

from memory.metrics import measured_embedder

log = logging.getLogger(__name__)

Vector = list[float]

AT_ONCE = 32  # passages in one request
LONGEST = 8_000  # characters sent of one text; models read the first few hundred words
RESTS_FOR = 2.0  # seconds after a failure in which questions don't even try
REMEMBERED = 2_048  # questions
ANSWER_AT_MOST = 64 * 1024 * 1024  # bytes


class EmbedderDown(Exception):
    """No usable vectors came back; the message names the reason, never a text that was sent."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where vectors come from. `model` is kept beside every vector that it made."""

    url: str
    model: str
    key: str
    dimensions: int
    question_prefix: str
    passage_prefix: str
    seconds: float

    @classmethod
    def configured(cls) -> "Endpoint":
        """Return the one that the settings name."""
        return cls(
            url=f"{settings.EMBEDDINGS_URL}/embeddings",
            model=settings.EMBEDDINGS_MODEL,
            key=settings.EMBEDDINGS_API_KEY,
            dimensions=settings.EMBEDDINGS_DIMENSIONS,
            question_prefix=settings.EMBEDDINGS_QUERY_PREFIX,
            passage_prefix=settings.EMBEDDINGS_PASSAGE_PREFIX,
            seconds=settings.EMBEDDINGS_TIMEOUT_MS / 1000,
        )


def embed_question(text: str) -> Vector | None:
    """Return the unit vector of a question, or None when the endpoint doesn't give one now."""
    endpoint = Endpoint.configured()
    known = _questions.get((endpoint, text))
    if known is not None:
        return known
    if time.monotonic() < _rest.until:
        return None
    try:
        with measured_embedder():
            vector = _ask(endpoint, [endpoint.question_prefix + text[:LONGEST]], retry=_ONCE_MORE)[0]
    except EmbedderDown as failure:
        _rest.until = time.monotonic() + RESTS_FOR
        log.warning("questions are answered by words alone", extra={"reason": str(failure)})
        return None
    _questions.put((endpoint, text), vector)
    return vector


def embed_passages(texts: Sequence[str]) -> list[Vector]:
    """Return one unit vector per text, in their order. Raises EmbedderDown."""
    endpoint = Endpoint.configured()
    sent = [endpoint.passage_prefix + (text[:LONGEST].strip() or "-") for text in texts]
    return [
        vector
        for start in range(0, len(sent), AT_ONCE)
        for vector in _ask(endpoint, sent[start : start + AT_ONCE], retry=_PATIENT)
    ]


def rested() -> None:
    """Forget that the endpoint failed just now: the next question tries again at once."""
    _rest.until = 0.0


class _Rest:
    until = 0.0


class _Questions:
    """The latest questions with their vectors: agents ask the same again and again."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[Endpoint, str], Vector] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: tuple[Endpoint, str]) -> Vector | None:
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def put(self, key: tuple[Endpoint, str], vector: Vector) -> None:
        with self._lock:
            self._kept[key] = vector
            while len(self._kept) > REMEMBERED:
                self._kept.popitem(last=False)


_rest = _Rest()
_questions = _Questions()
_BUSY = frozenset({429, 500, 502, 503, 504})
_ONCE_MORE = Retry(total=1, connect=0, status_forcelist=_BUSY, allowed_methods=None, raise_on_status=False)
_PATIENT = Retry(total=3, status_forcelist=_BUSY, allowed_methods=None, raise_on_status=False, backoff_factor=0.2)


@lru_cache(maxsize=1)
def _pool(_process: int) -> urllib3.PoolManager:
    """One pool per process: sockets must not be shared across a fork."""
    return urllib3.PoolManager(maxsize=16)


def _ask(endpoint: Endpoint, texts: Sequence[str], *, retry: Retry) -> list[Vector]:
    body = json.dumps({"model": endpoint.model, "input": list(texts), "encoding_format": "base64"})
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    if endpoint.key:
        headers["Authorization"] = f"Bearer {endpoint.key}"
    wait = Timeout(connect=min(1.0, endpoint.seconds), read=endpoint.seconds)
    try:
        answer = _pool(os.getpid()).request(
            "POST", endpoint.url, body=body.encode(), headers=headers, timeout=wait, retries=retry, redirect=False
        )
    except urllib3.exceptions.HTTPError as failure:
        raise EmbedderDown(type(failure).__name__) from None
    if answer.status != 200 or len(answer.data) > ANSWER_AT_MOST:
        raise EmbedderDown(f"status {answer.status}")
    return _vectors(answer.data, count=len(texts), dimensions=endpoint.dimensions)


def _vectors(body: bytes, *, count: int, dimensions: int) -> list[Vector]:
    try:
        rows = sorted(json.loads(body)["data"], key=lambda row: row["index"])
        vectors = [_vector(row["embedding"]) for row in rows]
    except (ValueError, KeyError, TypeError) as failure:
        raise EmbedderDown(f"an answer that is not OpenAI's shape ({type(failure).__name__})") from None
    if len(vectors) != count or any(len(vector) != dimensions for vector in vectors):
        sizes = sorted({len(vector) for vector in vectors})
        raise EmbedderDown(f"{len(vectors)} vectors of {sizes} dimensions instead of {count} of {dimensions}")
    return vectors


def _vector(written: Any) -> Vector:
    """Read one embedding, in base64 (little-endian floats) or as numbers, and bring it to length 1."""
    if isinstance(written, str):
        numbers = array("f", base64.b64decode(written, validate=True))
        if sys.byteorder == "big":
            numbers.byteswap()
    else:
        numbers = array("f", written)
    length = sum(number * number for number in numbers) ** 0.5
    if not 0 < length < float("inf"):
        raise ValueError("a vector without direction")
    return [number / length for number in numbers]
