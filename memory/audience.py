"""Whether everybody who sees one record sees another: what may be taken over from one into the other. Pure.

The mirror of `memory.visibility`: there one caller and many records, here two records and whoever may call.
"""

from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from uuid import UUID

from orgs.roles import Visibility


@dataclass(frozen=True, slots=True, kw_only=True)
class Audience:
    """Who sees a record. `above`: the departments above its own. `authors`: those whose records its author sees."""

    project_id: UUID
    workspace_id: UUID
    visibility: Visibility
    author_id: UUID | None
    department_id: UUID | None
    above: AbstractSet[UUID] = frozenset()
    authors: AbstractSet[UUID] = frozenset()


def covers(wider: Audience, narrower: Audience) -> bool:
    """Say whether everybody who sees the narrower record sees the wider one, whatever key they come with.

    | narrower \\ wider | author      | department                          | project | organization |
    | author           | same author | its author reaches that department  | yes     | yes          |
    | department       | no          | … and it is the same, or one above  | yes     | yes          |
    | project          | no          | no                                  | yes     | yes          |
    | organization     | no          | no                                  | no      | yes          |

    Never across projects or workspaces: a key may know one of them alone.
    """
    if (wider.project_id, wider.workspace_id) != (narrower.project_id, narrower.workspace_id):
        return False
    match wider.visibility:
        case Visibility.ORGANIZATION:
            return True
        case Visibility.PROJECT:
            return narrower.visibility <= Visibility.PROJECT
        case Visibility.DEPARTMENT:
            return _department_covers(wider, narrower)
        case Visibility.AUTHOR:
            return narrower.visibility == Visibility.AUTHOR and _one_author(wider, narrower)


def _department_covers(wider: Audience, narrower: Audience) -> bool:
    within = narrower.visibility == Visibility.AUTHOR or (
        narrower.visibility == Visibility.DEPARTMENT
        and wider.department_id is not None
        and wider.department_id in {narrower.department_id, *narrower.above}
    )
    reached = _one_author(wider, narrower) or wider.department_id in narrower.authors
    if narrower.visibility == Visibility.AUTHOR:
        return reached
    return within and reached


def _one_author(one: Audience, other: Audience) -> bool:
    return one.author_id is not None and one.author_id == other.author_id
