"""Between the door and the models: nobody waits in an endless line, and a repeated question costs nothing."""

import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http import HTTPStatus

import numpy as np

from deploy.embedder.asked import Asked, Refused
from deploy.embedder.models import Model, Models, Vectors
from deploy.embedder.texts import Kind, Text, read

LONGEST_LINE = 24  # requests in work or waiting for a model
REMEMBERED = 4096  # questions


class Desk:
    """Answers requests that were understood."""

    def __init__(self, models: Models) -> None:
        self.models = models
        self._places = threading.BoundedSemaphore(LONGEST_LINE)
        self._questions: OrderedDict[tuple[str, str], Vectors] = OrderedDict()
        self._writing = threading.Lock()

    def answer(self, asked: Asked) -> Vectors:
        """This will give one unit vector per text, in their order. Raises Refused when busy."""
        with self._place():
            model = self.models[asked.model]
            if asked.dimensions not in (None, model.dimensions):
                message = f"{model.name} has {model.dimensions} dimensions"
                raise Refused(message, param="dimensions", code="invalid_value")
            return self._vectors(model, [read(text) for text in asked.texts])

    def _vectors(self, model: Model, texts: Sequence[Text]) -> Vectors:
        known = {place: found for place, text in enumerate(texts) if (found := self._recall(model, text)) is not None}
        missing = [place for place in range(len(texts)) if place not in known]
        vectors = np.empty((len(texts), model.dimensions), np.float32)
        for place, vector in known.items():
            vectors[place] = vector
        if missing:
            vectors[missing] = model.embed([texts[place] for place in missing])
            self._remember(model, [(texts[place], vectors[place].copy()) for place in missing])
        return vectors

    def _recall(self, model: Model, text: Text) -> Vectors | None:
        with self._writing:
            key = (model.name, text.words)
            if text.kind is not Kind.QUERY or key not in self._questions:
                return None
            self._questions.move_to_end(key)
            return self._questions[key]

    def _remember(self, model: Model, answered: Sequence[tuple[Text, Vectors]]) -> None:
        with self._writing:
            for text, vector in answered:
                if text.kind is Kind.QUERY:
                    self._questions[model.name, text.words] = vector
            while len(self._questions) > REMEMBERED:
                self._questions.popitem(last=False)

    @contextmanager
    def _place(self) -> Iterator[None]:
        if not self._places.acquire(blocking=False):
            message = "too many requests are waiting; try again shortly"
            raise Refused(message, code="busy", status=HTTPStatus.SERVICE_UNAVAILABLE)
        try:
            yield
        finally:
            self._places.release()
