"""Doors for writes: from an id to records that the caller may change, or Unknown. Absent and forbidden look alike."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from uuid import UUID

from memory.models import Record
from memory.models.record import RecordQuerySet
from orgs.caller import Caller
from orgs.errors import Unprocessable
from orgs.roles import Permission


def changeable_by(caller: Caller, permission: Permission) -> RecordQuerySet:
    """Return the records, forgotten or not, that the caller sees and may change in this way, locked in id order."""
    projects = [id for id, held in caller.projects.items() if permission in held]
    records = Record.objects.known_to(caller).filter(project_id__in=projects)
    return records.select_for_update(of=("self",), no_key=True).order_by("id")


def named_records(
    caller: Caller, ids: Sequence[UUID], *, field: str, vouched: AbstractSet[UUID] = frozenset()
) -> list[UUID]:
    """Return the ids without repeats, or refuse, naming every one that is neither vouched for nor seen and live."""
    missing = [str(id) for id in missing_among(caller, ids, vouched=vouched)]
    if missing:
        raise Unprocessable(
            f"{field} names records that don't exist here.",
            field=field,
            hint="Leave them out, or search for the records that are meant.",
            data={"gate": "contract", "error": "E050", "missing": missing},
        )
    return list(dict.fromkeys(ids))


def missing_among(caller: Caller, ids: Sequence[UUID], *, vouched: AbstractSet[UUID] = frozenset()) -> list[UUID]:
    """Return those of the ids that are no live record the caller sees, in order and without repeats."""
    wanted = [id for id in dict.fromkeys(ids) if id not in vouched]
    if not wanted:
        return []
    found = set(Record.objects.visible_to(caller).with_ids(wanted).values_list("id", flat=True))
    return [id for id in wanted if id not in found]
