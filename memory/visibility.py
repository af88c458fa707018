"""Who sees a record, as one condition. Every read of records starts here and nowhere else."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import BooleanField, F, Func, Q

from orgs.caller import Caller


def seen_by(caller: Caller) -> Q:
    """Return the condition on records that the caller may see, forgotten or not.

    | visibility   | seen by                                                                     |
    | author       | its author                                                                  |
    | department   | … and members of its department and those below, heads of it and those above |
    | project      | … and everyone with access to the project                                   |
    | organization | … and every member and key of the organization, unless the key may not      |

    The first three also need access to the record's project. An author sees their own records there,
    whatever their visibility. A key of some workspaces sees nothing outside them.
    """
    return Q(_Seen(eyes=_Eyes.of(caller)))


@dataclass(frozen=True, slots=True)
class _Eyes:
    """What of a caller decides what they see. `workspaces`: None for all of them."""

    organization: UUID
    user: UUID
    projects: tuple[UUID, ...]
    departments: tuple[UUID, ...]
    workspaces: tuple[str, ...] | None
    reads_organization: bool

    @classmethod
    def of(cls, caller: Caller) -> "_Eyes":
        return cls(
            caller.organization_id,
            caller.user_id,
            tuple(caller.readable_projects),
            tuple(caller.reachable_departments),
            None if caller.every_workspace else tuple(caller.workspaces),
            caller.reads_organization,
        )


class _Seen(Func):
    """The rule over a record's columns, written out: it stands several times in every query, and built from a tree
    of conditions it took most of the time of a call. Empty sets let nothing through, as no condition is left out.
    """

    def __init__(self, *, eyes: _Eyes) -> None:
        columns = ("organization_id", "project_id", "author_id", "department_id", "visibility", "workspace_id")
        super().__init__(*map(F, columns), output_field=BooleanField())
        self.eyes = eyes

    def as_sql(self, compiler: Any, connection: Any, **_: Any) -> tuple[str, list[Any]]:  # type: ignore[override]
        """Return the SQL, with every value as a parameter."""
        columns = (compiler.compile(column)[0] for column in self.get_source_expressions())
        organization, project, author, department, visibility, workspace = columns
        eyes, reach = self.eyes, f"{project} = ANY(%s::uuid[])"
        seen = (
            f"{reach} AND ({author} = %s OR {visibility} IN ('project', 'organization')"
            f" OR {visibility} = 'department' AND {department} = ANY(%s::uuid[]))"
        )
        values: list[Any] = [eyes.organization, list(eyes.projects), eyes.user, list(eyes.departments)]
        if eyes.reads_organization:
            seen = f"({seen} OR {visibility} = 'organization')"
        if eyes.workspaces is not None:
            named = "SELECT id FROM orgs_workspace WHERE organization_id = %s AND name = ANY(%s::text[])"
            seen = f"{seen} AND {reach} AND {workspace} = ANY(ARRAY({named}))"
            values += [list(eyes.projects), eyes.organization, list(eyes.workspaces)]
        return f"({organization} = %s AND {seen})", values
