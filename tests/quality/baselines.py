"""What others reach on the same sets with the same texts: the parts of the product, each alone, and plain BM25."""

import re
from collections.abc import Sequence

from rank_bm25 import BM25Okapi

from tests.quality.sets import Question, Told

_WORD = re.compile(r"[\u3400-\u9fff]|[^\W\u3400-\u9fff]+")


class Bm25:
    """Okapi BM25 over lower-cased words (of Chinese: characters), one index per workspace."""

    def __init__(self, told: Sequence[Told]) -> None:
        self._places: dict[str, list[Told]] = {}
        for one in told:
            self._places.setdefault(one.workspace, []).append(one)
        self._indexes = {
            name: BM25Okapi([_words(one.content) for one in records]) for name, records in self._places.items()
        }

    def search(self, question: Question) -> list[str]:
        """Return the twenty best."""
        scores = self._indexes[question.workspace].get_scores(_words(question.text))
        records = self._places[question.workspace]
        best = sorted(range(len(records)), key=lambda place: -scores[place])[:20]
        return [records[place].id for place in best if scores[place] > 0]


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())
