"""The passport of a fact: one record with all that a reader may see around it. And what stays of a forgotten one."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memory.models import Record
from memory.models.record import RecordQuerySet
from memory.protocol import shapes
from memory.showing import show
from orgs.caller import Caller
from orgs.directory import Origin, name_of_member, origin
from orgs.errors import Unknown
from orgs.roles import NO_PERMISSION, Permission
from orgs.tenancy import acting_for

MOST = 50


@dataclass(frozen=True, slots=True)
class Passport:
    """A live record; the other live records of its fact, newest first; what it was built from, and what on it."""

    record: shapes.Record
    origin: Origin
    versions: Sequence[shapes.Record]
    sources: Sequence[shapes.Record]
    summaries: Sequence[shapes.Record]
    may_forget: bool


@dataclass(frozen=True, slots=True)
class Grave:
    """A forgotten record, for those who may bring it back: its tombstone, and never its content."""

    tombstone: shapes.Tombstone
    forgotten_by: str


def look_up(caller: Caller, id: UUID, *, now: datetime) -> Passport | Grave:
    """Return the passport of a live record or the grave of a forgotten one, or raise Unknown."""
    caller.require(Permission.VIEW)
    with acting_for(caller.organization_id):
        record = Record.objects.known_to(caller).select_related("workspace").filter(id=id).first()
        if record is None or (record.forgotten_at and not _may_forget(caller, record)):
            raise Unknown("There is no such record here.")
        return _passport(caller, record, now=now) if record.forgotten_at is None else _grave(caller, record)


def _passport(caller: Caller, record: Record, *, now: datetime) -> Passport:
    live = Record.objects.visible_to(caller).select_related("workspace")
    around = {
        "versions": _versions_of(record, live),
        "sources": live.filter(summaries__summary=record).order_by("summaries__place"),
        "summaries": live.filter(derivations__source=record).order_by("-created_at", "-id"),
    }
    rows = {name: list(records[:MOST]) for name, records in around.items()}
    shown = _shown_once([record, *(one for some in rows.values() for one in some)], caller, now=now)
    return Passport(
        record=shown[record.id],
        origin=origin(
            caller,
            project_id=record.project_id,
            author_id=record.author_id,
            department_id=record.department_id,
            key_id=record.key_id,
        ),
        may_forget=_may_forget(caller, record),
        **{name: [shown[one.id] for one in some] for name, some in rows.items()},
    )


def _versions_of(record: Record, live: RecordQuerySet) -> RecordQuerySet:
    if record.fact_key is None:
        return live.none()
    same_fact = live.filter(project_id=record.project_id, workspace_id=record.workspace_id, fact_key=record.fact_key)
    return same_fact.exclude(id=record.id).order_by("-created_at", "-id")


def _shown_once(records: Iterable[Record], caller: Caller, *, now: datetime) -> dict[UUID, shapes.Record]:
    distinct = {record.id: record for record in records}
    return {one.id: one for one in show(list(distinct.values()), caller, now=now)}


def _grave(caller: Caller, record: Record) -> Grave:
    if record.forgotten_at is None:
        raise LookupError("only a forgotten record has a grave")
    return Grave(
        shapes.Tombstone(
            id=record.id,
            forgotten_at=record.forgotten_at,
            forgotten_by=record.forgotten_by_id,
            reason=record.forgotten_reason,
        ),
        name_of_member(caller, record.forgotten_by_id),
    )


def _may_forget(caller: Caller, record: Record) -> bool:
    return Permission.FORGET in caller.projects.get(record.project_id, NO_PERMISSION)
