"""What follows from a finding: one table, and the bounds within which any judge moves. Pure."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from archivist.judges import Bearing, Finding
from memory.protocol.vocabulary import RelationKind

MOST_RELATIONS = 12
MOST_DOUBTS = 4
LEAST_WEIGHT = 0.2


@dataclass(frozen=True, slots=True)
class Consequence:
    """A relation; how much confidence the older record loses, at full weight; whether both are versions of one fact."""

    relation: RelationKind
    doubt: float = 0.0
    refutes: bool = False
    one_fact: bool = False


FOLLOWS: Mapping[Bearing, Consequence] = {
    Bearing.DUPLICATE: Consequence(RelationKind.RELATES_TO),
    Bearing.REFINES: Consequence(RelationKind.RELATES_TO, doubt=0.1),
    Bearing.UPDATES: Consequence(RelationKind.SUPERSEDES, doubt=0.3, refutes=True, one_fact=True),
    Bearing.CONTRADICTS: Consequence(RelationKind.RELATES_TO, doubt=0.3, refutes=True, one_fact=True),
    Bearing.FIXES: Consequence(RelationKind.FIXES_ISSUE),
    Bearing.RELATES: Consequence(RelationKind.RELATES_TO),
}
"""Two wordings of the same are not made versions of one fact: they would show as a conflict, and there is none."""


def sound(findings: Sequence[Finding], *, offered: Collection[UUID]) -> list[Finding]:
    """Keep what a judge may find: about records it was shown, once each, within bounds, the surest first.

    A judge that was talked into condemning everything it saw moves a few records a little, and no more.
    """
    kept: dict[UUID, Finding] = {}
    doubts = 0
    for finding in sorted((f for f in findings if _well_formed(f)), key=lambda f: -f.weight):
        doubting = FOLLOWS[finding.bearing].doubt > 0
        full = len(kept) >= MOST_RELATIONS or (doubting and doubts >= MOST_DOUBTS)
        if finding.about in offered and finding.about not in kept and not full:
            kept[finding.about] = finding
            doubts += doubting
    return list(kept.values())


def _well_formed(finding: Finding) -> bool:
    weight = finding.weight
    number = isinstance(weight, int | float) and not isinstance(weight, bool) and math.isfinite(weight)
    return number and LEAST_WEIGHT <= weight <= 1 and finding.bearing in FOLLOWS
