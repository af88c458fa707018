"""From what each record has of a question to one order. Pure: no database, no clock.

A record's words count by how rare they are among the records that have any of the question's words, and by how
much of the question they cover; its meaning by the cosine. A record said in a conversation also counts for what was
said just before and after it, once per word: an answer rarely repeats the question. The two are added, not voted on
by rank, so that a side with nothing to say changes nothing. Measured in tests/quality/RESULTS.md.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

NEARBY = {-3: 0.25, -2: 0.5, -1: 0.7, 1: 0.5, 2: 0.25, 3: 0.1}  # what a neighbour's words count, by its distance
MEANING = 0.7  # what a cosine of 1 counts, beside 1 for all words of the question
REPEATS = 0.6  # BM25's k1, for words counted once
RULED = 1.6  # times what a record counts that says how things are to be done, when it is asked how to do something
BRIEF = 0.15  # BM25's b: how much longer records count less
USUAL_LENGTH = 30  # words of an ordinary record
FEWEST = 100  # records for which rarity is judged at least
ANSWERS = 0.25  # total from which a record answers; below it, it only happens to share a word


@dataclass(frozen=True, slots=True)
class Match:
    """What one record has of a question: units as bits, how many different words, and the cosine if it has a vector.

    `named`: the question is the record's id, fact key or source, to the letter.
    """

    units: int
    words: int
    cosine: float | None
    named: bool = False


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that is known about the records that may answer. `spread`: how many records have each unit.

    `matching`: how many have any. `rows`: ids in the order in which they were said, one row per stretch. `rule`: the
    last unit is no word of the question, but marks the records that say how things are to be done.
    """

    matches: Mapping[UUID, Match]
    spread: Sequence[int] = ()
    matching: int = 0
    rows: Sequence[Sequence[UUID]] = field(default_factory=tuple)
    rule: bool = False


@dataclass(frozen=True, slots=True)
class Score:
    """How well a record answers, and what that is made of."""

    total: float
    words: float
    own_words: float
    cosine: float | None
    ruled: bool = False


def scores(evidence: Evidence) -> dict[UUID, Score]:
    """Return the score of every record that is known of."""
    rarity = rarities(evidence)
    whole = sum(rarity) or 1.0
    weights = {units: _weights(units, rarity) for units in {match.units for match in evidence.matches.values()}}
    own = {id: _Own(weights[match.units], _share(match)) for id, match in evidence.matches.items()}
    near = _neighbours(evidence.rows)
    found = {}
    for id, match in evidence.matches.items():
        own_words = own[id].total / whole
        words = _with_neighbours(own[id], near[id], own) / whole if id in near else own_words
        total = words + MEANING * max(match.cosine or 0.0, 0.0)
        ruled = evidence.rule and bool(match.units >> (len(rarity) - 1))
        found[id] = Score(total * RULED if ruled else total, words, own_words, match.cosine, ruled)
    return found


def rarities(evidence: Evidence) -> list[float]:
    """Return how much each unit counts: the fewer records have it, the more. The mark of a rule is no word."""
    among = max(2 * evidence.matching, FEWEST)
    rarity = [math.log(1 + (among - having + 0.5) / (having + 0.5)) for having in evidence.spread]
    return [*rarity[:-1], 0.0] if evidence.rule else rarity


@dataclass(frozen=True, slots=True)
class _Own:
    """What a record's own words count: the weight of each unit that it has, times a share for its length."""

    weights: Sequence[float]
    share: float

    @property
    def total(self) -> float:
        return sum(self.weights) * self.share


def _weights(units: int, rarity: Sequence[float]) -> list[float]:
    return [weight if units >> place & 1 else 0.0 for place, weight in enumerate(rarity)]


def _share(match: Match) -> float:
    return (REPEATS + 1) / (1 + REPEATS * (1 - BRIEF + BRIEF * match.words / USUAL_LENGTH))


def _with_neighbours(mine: _Own, beside: Mapping[UUID, int], own: Mapping[UUID, _Own]) -> float:
    """A unit counts where it is nearest, and once."""
    best = [weight * mine.share for weight in mine.weights]
    for other, step in beside.items():
        if other in own:
            share = NEARBY[step] * own[other].share
            best = [max(here, there * share) for here, there in zip(best, own[other].weights, strict=True)]
    return sum(best)


def _neighbours(rows: Iterable[Sequence[UUID]]) -> dict[UUID, dict[UUID, int]]:
    """Return, for every record in a row, the steps to the records around it."""
    near: dict[UUID, dict[UUID, int]] = defaultdict(dict)
    for row in rows:
        for place, id in enumerate(row):
            for step in NEARBY:
                if 0 <= place + step < len(row):
                    near[id][row[place + step]] = step
    return near
