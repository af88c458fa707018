"""What was found out about records: doubts, successions, relations, sources. As it is stored, and for no reader yet.

Whoever tells of a finding has to look through the caller's lens at both of its ends first.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import connection

from orgs.caller import Caller


@dataclass(frozen=True, slots=True)
class Findings:
    """Rows in the order in which they count.

    `doubts`: (record, because of, amount, refutes). `successions`: (old, new), newest first. `relations`: (origin,
    target, kind, weight), strongest first. `derivations`: (summary, source), as its writer named them.
    """

    doubts: Sequence[tuple[UUID, UUID, float, bool]]
    successions: Sequence[tuple[UUID, UUID]]
    relations: Sequence[tuple[UUID, UUID, str, float]]
    derivations: Sequence[tuple[UUID, UUID]]

    @property
    def ends(self) -> set[UUID]:
        """Return every record that a doubt, a succession or a relation speaks of."""
        pairs = [*self.successions, *(row[:2] for row in (*self.doubts, *self.relations))]
        return {id for pair in pairs for id in pair}


NOTHING = Findings((), (), (), ())


def found_about(ids: Sequence[UUID], caller: Caller) -> Findings:
    """Return what was found out about these records and not undone. One statement, whose plan the database keeps."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT what, one, other, amount, word FROM memory_findings(%s, %s) ORDER BY what, place",
            [caller.organization_id, list(ids)],
        )
        rows = cursor.fetchall()
    by_kind: dict[str, list[Any]] = defaultdict(list)
    for what, *row in rows:
        by_kind[what].append(row)
    return Findings(
        doubts=[(one, other, amount, word == "refutes") for one, other, amount, word in by_kind["doubt"]],
        successions=[(one, other) for one, other, *_ in by_kind["succession"]],
        relations=[(one, other, word, amount) for one, other, amount, word in by_kind["relation"]],
        derivations=[(one, other) for one, other, *_ in by_kind["derivation"]],
    )
