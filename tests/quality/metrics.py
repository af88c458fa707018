"""How good a ranking is. Macro averages over questions; an answer found twice counts once."""

import math
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True)
class Quality:
    """Shares between 0 and 1."""

    recall_1: float
    recall_5: float
    recall_10: float
    recall_20: float
    mrr: float
    ndcg_10: float


def judge(ranked: Sequence[str], answers: AbstractSet[str]) -> Quality:
    """Return the quality of one ranking."""
    ranked = list(dict.fromkeys(ranked))
    first = next((place for place, id in enumerate(ranked, 1) if id in answers), None)
    gain = sum(1 / math.log2(place + 1) for place, id in enumerate(ranked[:10], 1) if id in answers)
    ideal = sum(1 / math.log2(place + 1) for place in range(1, min(10, len(answers)) + 1))
    one, five, ten, twenty = (len(answers & set(ranked[:k])) / len(answers) for k in (1, 5, 10, 20))
    return Quality(one, five, ten, twenty, 1 / first if first else 0.0, gain / ideal)


def mean(judged: Sequence[Quality]) -> Quality:
    """Return the average of many."""
    return Quality(*(sum(getattr(one, f.name) for one in judged) / len(judged) for f in fields(Quality)))


def by_category(judged: Mapping[str, Quality], category: Mapping[str, str]) -> dict[str, Quality]:
    """Return the average of every category of questions."""
    names = sorted(set(category.values()))
    return {name: mean([one for id, one in judged.items() if category[id] == name]) for name in names}
