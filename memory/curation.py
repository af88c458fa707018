"""The archivist's pen: relations, doubts and names of facts. It touches neither content nor visibility.

Whatever it is asked twice it does once, and what it must not do it answers with a ruling, not with an error:
a judge may be wrong, or be talked into something by a record, and the rest of its findings still count. Every function
needs the organization's transaction.
"""

import math
from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from memory.models import Doubt, Record, Relation
from memory.protocol.vocabulary import RelationKind
from memory.versions import search_document
from orgs.names import LONGEST, canonical

GREATEST_DOUBT = 0.4
"""One record never takes all confidence from another."""


class Ruling(StrEnum):
    """What became of a wish."""

    WRITTEN = "written"
    ALREADY = "already"
    ITSELF = "itself"
    NOT_OLDER = "not_older"
    OUT_OF_RANGE = "out_of_range"
    GONE = "gone"
    NAMED = "named"
    NO_NAME = "no_name"


def live(organization_id: UUID, ids: Iterable[UUID]) -> dict[UUID, Record]:
    """Lock the live records of these ids, in id order, until the transaction ends: nobody forgets or edits them now."""
    records = Record.objects.in_organization(organization_id).with_ids(ids).filter(forgotten_at=None)
    return {record.id: record for record in records.select_for_update(of=("self",), no_key=True).order_by("id")}


def relate(origin: Record, target: Record, *, kind: RelationKind, weight: float, now: datetime) -> Ruling:
    """Note that one live record bears on another. What was undone stays undone.

    Only a newer record supersedes or fixes an older one: so no ring of records ever supersedes itself.
    """
    ruling = _ruling(origin, target, share=weight)
    if ruling is None and kind != RelationKind.RELATES_TO and not is_newer(origin, target):
        ruling = Ruling.NOT_OLDER
    if ruling:
        return ruling
    ends = {"organization_id": origin.organization_id, "origin": origin, "target": target, "kind": kind}
    if Relation.objects.filter(**ends).exists():
        return Ruling.ALREADY
    Relation.objects.bulk_create([Relation(**ends, weight=weight, created_at=now)], ignore_conflicts=True)
    return Ruling.WRITTEN


def doubt(record: Record, *, because: Record, amount: float, refutes: bool, now: datetime) -> Ruling:
    """Lower an older live record's confidence because of a newer one, once. What was undone stays undone."""
    ruling = _ruling(because, record, share=amount)
    if ruling is None and amount > GREATEST_DOUBT:
        ruling = Ruling.OUT_OF_RANGE
    if ruling is None and not is_newer(because, record):
        ruling = Ruling.NOT_OLDER
    if ruling:
        return ruling
    pair = {"organization_id": record.organization_id, "record": record, "because": because}
    if Doubt.objects.filter(**pair).exists():
        return Ruling.ALREADY
    row = Doubt(**pair, amount=amount, refutes=refutes, created_at=now)
    Doubt.objects.bulk_create([row], ignore_conflicts=True)
    return Ruling.WRITTEN


def name_fact(record: Record, key: str, *, now: datetime) -> Ruling:
    """Give a live record that has no fact key one: another record's, or a name of the archivist's own.

    A key that an agent, a person or the archivist gave before stays.
    """
    if record.forgotten_at is not None:
        return Ruling.GONE
    if record.fact_key is not None:
        return Ruling.ALREADY if record.fact_key == key else Ruling.NAMED
    if not key or canonical(key) != key or len(key) > LONGEST:
        return Ruling.NO_NAME
    _set_key(record, key, now=now)
    return Ruling.WRITTEN


def unname_fact(record: Record, *, now: datetime) -> bool:
    """Take a fact key away that the archivist gave, and say whether it did."""
    if not record.fact_key_by_archivist:
        return False
    _set_key(record, None, now=now)
    return True


def rename_fact(record: Record, key: str, *, now: datetime) -> None:
    """Give a fact that the archivist named another name, for all its versions in that workspace."""
    versions = Record.objects.in_organization(record.organization_id).filter(
        project_id=record.project_id,
        workspace_id=record.workspace_id,
        fact_key=record.fact_key,
        fact_key_by_archivist=True,
    )
    for version in versions.select_for_update(of=("self",), no_key=True).order_by("id"):
        _set_key(version, key, now=now)


def unrelate(origin: Record, target: Record, *, kind: RelationKind, now: datetime) -> None:
    """Undo a relation. The row stays, so that it is not written again."""
    own = Relation.objects.filter(organization_id=origin.organization_id, undone_at=None)
    own.filter(origin=origin, target=target, kind=kind).update(undone_at=now)


def trust_again(record: Record, *, because: Record, now: datetime) -> None:
    """Undo a doubt. The row stays, so that it is not raised again."""
    own = Doubt.objects.filter(organization_id=record.organization_id, undone_at=None)
    own.filter(record=record, because=because).update(undone_at=now)


def is_newer(one: Record, other: Record) -> bool:
    """Say whether a record was saved after another: a strict order, so that nothing is newer than itself."""
    return (one.created_at, one.id) > (other.created_at, other.id)


def _set_key(record: Record, key: str | None, *, now: datetime) -> None:
    record.fact_key, record.fact_key_by_archivist, record.updated_at = key, key is not None, now
    record.words = search_document(record, fact_key=key)
    record.save(update_fields=["fact_key", "fact_key_by_archivist", "updated_at", "words"])


def _ruling(one: Record, other: Record, *, share: float) -> Ruling | None:
    if one.id == other.id:
        return Ruling.ITSELF
    if one.organization_id != other.organization_id or one.forgotten_at or other.forgotten_at:
        return Ruling.GONE
    if not (math.isfinite(share) and 0 <= share <= 1):
        return Ruling.OUT_OF_RANGE
    return None
