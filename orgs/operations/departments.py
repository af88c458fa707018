"""The tree of departments. One change at a time, so that `ancestors` stays true and no circle closes."""

from datetime import datetime
from uuid import UUID

from orgs.audit import note
from orgs.caller import Caller
from orgs.errors import Unprocessable
from orgs.models import Department
from orgs.operations.asking import found, one_of_a_kind, organization_locked, require_duty
from orgs.operations.naming import checked_name
from orgs.roles import Duty
from orgs.tenancy import acting_for

_TAKEN = "A department of this name is there already."


def create_department(by: Caller, *, name: str, parent_id: UUID | None = None, now: datetime) -> Department:
    """Make a department, at the top or below another; raise Clash for a name its siblings have."""
    require_duty(by, Duty.STRUCTURE)
    with acting_for(by.organization_id):
        organization_locked(by)
        parent = _parent(by, parent_id)
        department = Department(
            organization_id=by.organization_id,
            name=checked_name(name),
            parent=parent,
            ancestors=_line(parent),
            created_at=now,
        )
        with one_of_a_kind("name", _TAKEN):
            department.save(force_insert=True)
        _note(by, "create", department, now=now, details={"name": department.name, "parent": parent_id})
    return department


def move_department(by: Caller, department_id: UUID, *, parent_id: UUID | None, now: datetime) -> Department:
    """Hang a department, with all below it, somewhere else; raise Unprocessable if a circle would close."""
    require_duty(by, Duty.STRUCTURE)
    with acting_for(by.organization_id):
        organization_locked(by)
        department = found(Department, department_id, by=by, what="department")
        parent = _parent(by, parent_id)
        if parent is not None and department.id in (parent.id, *parent.ancestors):
            raise Unprocessable("A department cannot be part of itself.", field="parent")
        before, line = department.parent_id, _line(parent)
        _rehang_below(department, line)
        department.parent, department.ancestors = parent, line
        with one_of_a_kind("name", _TAKEN):
            department.save(update_fields=["parent", "ancestors"])
        _note(by, "move", department, now=now, details={"before": before, "after": parent_id})
    return department


def _rehang_below(department: Department, line: list[UUID]) -> None:
    """Give everything below the department its new line of ancestors; their own parts stay."""
    below = Department.objects.filter(organization_id=department.organization_id, ancestors__contains=[department.id])
    moved = list(below)
    for child in moved:
        child.ancestors = line + child.ancestors[child.ancestors.index(department.id) :]
    Department.objects.bulk_update(moved, ["ancestors"])


def _parent(by: Caller, parent_id: UUID | None) -> Department | None:
    return None if parent_id is None else found(Department, parent_id, by=by, what="department")


def _line(parent: Department | None) -> list[UUID]:
    return [] if parent is None else [*parent.ancestors, parent.id]


def _note(by: Caller, act: str, department: Department, *, now: datetime, details: dict[str, object]) -> None:
    note(
        by,
        verb=f"department.{act}",
        object_type="department",
        object_id=department.id,
        now=now,
        details=details,
    )
