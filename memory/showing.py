"""Puts records into the shape that callers get: with standing, relations and sources as that caller sees them."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from memory.models import Record
from memory.protocol import shapes
from memory.protocol.vocabulary import Direction, RelationKind
from memory.standing import Known, Seen, gather, look
from memory.statuses import Ground, SourceNow
from orgs.caller import Caller
from orgs.roles import Visibility

MOST_RELATIONS = 50


def show(
    records: Sequence[Record],
    caller: Caller,
    *,
    now: datetime,
    source_now: SourceNow | None = None,
    scores: Mapping[UUID, float] | None = None,
    explanations: Mapping[UUID, shapes.Explanation] | None = None,
    known: Known | None = None,
) -> list[shapes.Record]:
    """Return the shapes of records that came through the caller's lens, in their order. A fixed number of queries.

    `records` need their workspace loaded (`select_related`). A record that the caller wrote this moment need not have
    come through the lens: it is shown with what the caller may see besides, be that nothing.
    """
    ids = [record.id for record in records]
    known = known or gather(ids, caller, read=records)
    seen = look(ids, caller, now=now, source_now=source_now, known=known)
    relations = relations_among(ids, known)
    dependencies = _visible_among([id for record in records for id in record.depends_on], caller)
    return [
        _shape(
            record,
            seen[record.id],
            relations=relations[record.id],
            depends_on=[id for id in record.depends_on if id in dependencies],
            score=(scores or {}).get(record.id),
            explanation=(explanations or {}).get(record.id),
        )
        for record in records
    ]


def reasons(grounds: Sequence[Ground]) -> list[shapes.StatusReason]:
    """Return the reasons of a standing in the protocol's shape."""
    return [shapes.StatusReason(reason=g.reason, ids=list(g.ids), count=g.count) for g in grounds]


def relations_among(
    ids: Sequence[UUID], known: Known, *, most: int = MOST_RELATIONS
) -> Mapping[UUID, list[shapes.GraphRelation]]:
    """Return the relations of each record to live records that the caller may see, strongest first."""
    wanted, live = set(ids), known.live
    rows = [relation for relation in known.findings.relations if relation[0] in live and relation[1] in live]
    shown: dict[UUID, list[shapes.GraphRelation]] = defaultdict(list)
    for origin, target, kind, weight in rows:
        for own, other, direction in ((origin, target, Direction.OUTGOING), (target, origin, Direction.INCOMING)):
            if own in wanted and len(shown[own]) < most:
                shown[own].append(
                    shapes.GraphRelation(
                        relation=RelationKind(kind),
                        direction=direction,
                        weight=weight,
                        target_id=other,
                        preview=known.rows[other]["preview"],
                    )
                )
    return shown


def _visible_among(ids: list[UUID], caller: Caller) -> set[UUID]:
    return set(Record.objects.visible_to(caller).with_ids(ids).values_list("id", flat=True)) if ids else set()


def _shape(
    record: Record,
    seen: Seen,
    *,
    relations: list[shapes.GraphRelation],
    depends_on: list[UUID],
    score: float | None,
    explanation: shapes.Explanation | None,
) -> shapes.Record:
    derived: dict[str, Any] = {
        "workspace": record.workspace.name,
        "confidence": seen.confidence,
        "status": seen.standing.status,
        "reasons": reasons(seen.standing.grounds),
        "derived_from": list(seen.sources),
        "depends_on": depends_on,
        "score": score,
        "graph_relations": relations,
        "project": record.project_id,
        "author": record.author_id,
        "department": record.department_id,
        "visibility": Visibility(record.visibility),
        "superseded_by": seen.superseded_by,
        "supersedes": list(seen.supersedes),
        "newest_version_id": seen.newest_version_id,
    }
    if explanation:
        derived["explanation"] = explanation
    stored = {
        name: getattr(record, name)
        for name in shapes.Record.model_fields
        if name not in derived and name != "explanation"
    }
    return shapes.Record(**stored, **derived)
