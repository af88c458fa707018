"""The judge that needs no model: weighs how two texts are alike and where they part."""

import math
from collections.abc import Mapping, Sequence

from archivist.judges.comparing import Reading, compare, read
from archivist.judges.protocol import Bearing, Finding, Told
from archivist.judges.weights import CLASSES, MODEL, WEIGHTS

LEAST = 0.35
"""How sure it has to be when it compares with one record alone; see `_bar`. Rather silent than wrong."""
COMPARABLE_FROM = 0.35
"""Closeness below which two records have nothing to do with each other, whatever else is alike."""
RELATED_FROM, MOST_RELATED = 0.55, 5
"""Closeness from which two records that say different things still have to do with each other, and of how many."""


class Offline:
    """A fitted table over features of texts in English, Russian and Chinese; no text is ever an instruction to it."""

    name = "offline"
    version = "1"

    def judge(self, new: Told, older: Sequence[Told]) -> Sequence[Finding]:
        """Return what it finds about any of the older records."""
        bar = _bar(len(older))
        found = (_finding(new, told, bar=bar) for told in older)
        kept = sorted(filter(None, found), key=lambda finding: -finding.weight)
        loose = [finding for finding in kept if finding.bearing == Bearing.RELATES]
        return [finding for finding in kept if finding.bearing != Bearing.RELATES] + loose[:MOST_RELATED]


def _bar(number: int) -> float:
    """Return how sure a finding has to be among so many comparisons.

    A record bears on few others: the more it is compared with, the likelier is one that only looks like it. The odds
    that are asked for grow with the root of the number.
    """
    odds = LEAST / (1 - LEAST) * math.sqrt(max(1, number))
    return odds / (1 + odds)


def _finding(new: Told, old: Told, *, bar: float) -> Finding | None:
    one, other = read(old.content), read(new.content)
    if one.order == other.order and one.numbers == other.numbers and one.negations == other.negations:
        return Finding(about=old.id, bearing=Bearing.DUPLICATE, weight=1.0, reason="same words")
    features = compare(one, other, closeness=_closeness(old, new))
    if features["closeness"] < COMPARABLE_FROM:
        return None
    shares = _shares(features)
    surest = max(shares, key=lambda name: shares[name])
    if not _of_two_things(one, other) and surest != "unrelated" and shares[surest] >= bar:
        bearing = _conflict(one, other) if surest == "conflict" else _BEARINGS[surest]
        return Finding(about=old.id, bearing=bearing, weight=_weight(shares[surest]), reason=_reason(bearing, features))
    if features["closeness"] >= RELATED_FROM:
        return Finding(about=old.id, bearing=Bearing.RELATES, weight=_weight(features["closeness"]), reason="close")
    return None


_BEARINGS: Mapping[str, Bearing] = {
    "refines": Bearing.REFINES,
    "duplicate": Bearing.DUPLICATE,
    "fixes_issue": Bearing.FIXES,
}


def _of_two_things(old: Reading, new: Reading) -> bool:
    return bool(old.subjects and new.subjects and not old.subjects & new.subjects)


def _shares(features: Mapping[str, float]) -> dict[str, float]:
    """Return how likely each class is."""
    scores = [
        WEIGHTS["bias"][place] + sum(WEIGHTS[name][place] * value for name, value in features.items())
        for place in range(len(CLASSES))
    ]
    grown = [math.exp(score - max(scores)) for score in scores]
    return {name: share / sum(grown) for name, share in zip(CLASSES, grown, strict=True)}


def _conflict(old: Reading, new: Reading) -> Bearing:
    """A text that speaks of a change updates; one that doesn't contradicts, and a person has to say which is right."""
    return Bearing.UPDATES if new.changes > old.changes else Bearing.CONTRADICTS


def _reason(bearing: Bearing, features: Mapping[str, float]) -> str:
    """Return the strongest ground in a word, never a word of the texts."""
    if bearing == Bearing.UPDATES:
        return "speaks of a change"
    if bearing == Bearing.CONTRADICTS:
        grounds = (("numbers_differ", "other numbers"), ("denies", "denies it"), ("has_sides", "another value"))
        return next((word for name, word in grounds if features[name]), "says otherwise")
    return {Bearing.REFINES: "says more", Bearing.DUPLICATE: "says the same", Bearing.FIXES: "mends it"}[bearing]


def _closeness(old: Told, new: Told) -> float | None:
    """Return the cosine of their vectors, where both are of the model that the weights know."""
    if old.meaning is None or new.meaning is None or {old.model, new.model} != {MODEL}:
        return None
    return sum(one * other for one, other in zip(old.meaning, new.meaning, strict=True))


def _weight(share: float) -> float:
    return round(min(1.0, max(0.0, share)), 3)
