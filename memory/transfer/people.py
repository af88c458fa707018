"""Whose a record is when it comes in: what is known here stays, and nothing is ever seen by more than before."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from orgs.caller import Caller
from orgs.models import ApiKey, Department, Membership
from orgs.roles import Visibility


@dataclass(frozen=True, slots=True)
class Known:
    """Which of the people, departments and keys that lines name are this organization's."""

    people: frozenset[UUID]
    departments: frozenset[UUID]
    keys: frozenset[UUID]


@dataclass(frozen=True, slots=True)
class Owner:
    """The author, department and visibility of a record here. `narrowed`: fewer may see it than where it came from."""

    author_id: UUID
    department_id: UUID | None
    visibility: Visibility
    narrowed: bool
    replaces: UUID | None
    """The author for whom the importer stands."""


def known_here(caller: Caller, lines: Iterable[Any]) -> Known:
    """Look up whom the lines name. Needs the organization's transaction; three queries."""
    told = list(lines)
    here = {"organization_id": caller.organization_id}
    people = Membership.objects.filter(**here, user_id__in=_named(told, "author", "forgotten_by"))
    return Known(
        people=frozenset(people.values_list("user_id", flat=True)),
        departments=_ids(Department.objects.filter(**here, id__in=_named(told, "department"))),
        keys=_ids(ApiKey.objects.filter(**here, id__in=_named(told, "key"))),
    )


def owner_of(line: Any, caller: Caller, known: Known) -> Owner:
    """Return whose a record is here: its author's if that is a member, else the importer's.

    Its visibility is never wider than it was, nor than the importer may give; a department that isn't known here
    leaves the author alone.
    """
    familiar = line.author in known.people
    department = line.department if line.department in known.departments else None
    visibility = min(Visibility(line.visibility), caller.greatest_visibility)
    if visibility is Visibility.DEPARTMENT and department is None:
        visibility = Visibility.AUTHOR
    return Owner(
        author_id=line.author if familiar else caller.user_id,
        department_id=department,
        visibility=visibility,
        narrowed=visibility != Visibility(line.visibility),
        replaces=None if familiar else line.author,
    )


def _named(lines: Iterable[Any], *fields: str) -> set[UUID]:
    return {id for line in lines for field in fields if (id := getattr(line, field, None)) is not None}


def _ids(rows: Any) -> frozenset[UUID]:
    return frozenset(rows.values_list("id", flat=True))
