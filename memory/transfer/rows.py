"""From rows to the lines of an export."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any
from uuid import UUID

from memory.models import Derivation, Doubt, Record, Relation, Succession
from memory.protocol.shapes import (
    DerivationLine,
    DoubtLine,
    Inputs,
    RecordLine,
    RelationLine,
    SuccessionLine,
    TombstoneLine,
)
from memory.protocol.vocabulary import RelationKind
from orgs.roles import Visibility

AS_STORED = (
    *("scope", "content", "source", "source_id", "source_hash", "source_revision", "fact_key"),
    *("fact_key_by_archivist", "confidence", "tags", "content_kind", "layer", "importance", "verification_basis"),
    *("condition_space", "non_applicable_conditions", "relation", "valid_from", "valid_until", "observed_at"),
    *("session", "metadata", "protected_at", "created_at", "updated_at"),
)
"""What a record's line and its row hold under one name."""
_OF_A_TOMBSTONE = ("content_digest", "created_at", "updated_at", "forgotten_at")


def record_line(record: Record, *, depends_on: Sequence[UUID]) -> RecordLine:
    """Return the line of a live record; its workspace and project are loaded."""
    stored = {name: getattr(record, name) for name in AS_STORED}
    told = {**_place(record), **stored, "key": record.key_id, "depends_on": list(depends_on)}
    # What is stored was checked when it came in; limits that have changed since must not lose it.
    return RecordLine.model_construct(None, type="record", **told)


def tombstone_line(record: Record) -> TombstoneLine:
    """Return the line of a forgotten record; its workspace and project are loaded."""
    stored = {name: getattr(record, name) for name in _OF_A_TOMBSTONE}
    why: dict[str, Any] = {"forgotten_by": record.forgotten_by_id, "reason": record.forgotten_reason}
    return TombstoneLine.model_construct(None, type="tombstone", **_place(record), **stored, **why)


def _place(record: Record) -> dict[str, Any]:
    return {
        "id": record.id,
        "project": record.project.slug,
        "workspace": record.workspace.name,
        "visibility": Visibility(record.visibility),
        "author": record.author_id,
        "department": record.department_id,
    }


def _succession(row: Succession) -> Inputs:
    return SuccessionLine(old=row.old_id, new=row.new_id, at=row.at, undone_at=row.undone_at)


def _derivation(row: Derivation) -> Inputs:
    return DerivationLine(summary=row.summary_id, source=row.source_id, place=row.place)


def _relation(row: Relation) -> Inputs:
    return RelationLine(
        origin=row.origin_id,
        target=row.target_id,
        kind=RelationKind(row.kind),
        weight=row.weight,
        created_at=row.created_at,
        undone_at=row.undone_at,
    )


def _doubt(row: Doubt) -> Inputs:
    return DoubtLine(
        record=row.record_id,
        because=row.because_id,
        amount=row.amount,
        refutes=row.refutes,
        created_at=row.created_at,
        undone_at=row.undone_at,
    )


LINK_LINES: Mapping[str, Callable[[Any], Inputs]] = {
    "successions": _succession,
    "derivations": _derivation,
    "relations": _relation,
    "doubts": _doubt,
}
"""By the name of their counts, in the order in which they stand in a file."""
