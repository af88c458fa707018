"""What a member or a key stands for at this moment, read whole in one query.

Asked through functions in the database (migration `orgs.0004_limits`) and not built with the ORM, since it
runs on every call: building a query and planning it cost many times what answering it does. Row-level security
holds there as everywhere.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection

from orgs.roles import Role


@dataclass(frozen=True, slots=True)
class Standing:
    """A member: role, department with those above it, and what could stop them."""

    organization_id: UUID
    user_id: UUID
    role: Role
    department_id: UUID | None
    above: list[UUID]
    is_active: bool
    suspended_at: datetime | None
    ends_at: datetime | None
    default_visibility_of_people: str
    greatest_visibility_of_keys: str
    calls_per_minute: int | None
    greatest_records: int | None

    def stopped_by(self, now: datetime) -> str | None:
        """Say what stops the member at that instant, if anything does; an end is outside its term."""
        if not self.is_active:
            return "person_inactive"
        if self.suspended_at is not None:
            return "member_suspended"
        return "term_ended" if self.ends_at is not None and now >= self.ends_at else None


@dataclass(frozen=True, slots=True)
class KeyStanding:
    """A key, and the member who owns it."""

    owner: Standing
    key_id: UUID
    digest: str
    project_id: UUID
    actions: list[str]
    every_workspace: bool
    workspaces: list[str]
    default_visibility: str
    greatest_visibility: str
    reads_organization: bool
    allowed_networks: list[str]
    expires_at: datetime | None
    revoked_at: datetime | None
    last_used_at: datetime | None
    calls_per_minute: int | None

    def stopped_by(self, now: datetime) -> str | None:
        """Say what stops the key at that instant, if anything does."""
        if self.revoked_at is not None:
            return "key_revoked"
        if self.expires_at is not None and now >= self.expires_at:
            return "key_expired"
        return self.owner.stopped_by(now)


_MEMBER_WIDTH = len(Standing.__slots__)


def of_member(organization_id: UUID, user_id: UUID) -> Standing | None:
    """Read a member's standing, or nothing if the person is not one."""
    row = _one("SELECT * FROM orgs_limited_standing_of_member(%s, %s)", organization_id, user_id)
    return Standing(*row) if row else None


def of_key(organization_id: UUID, key_id: UUID) -> KeyStanding | None:
    """Read a key's standing, or nothing if there is no such key."""
    row = _one("SELECT * FROM orgs_limited_standing_of_key(%s, %s)", organization_id, key_id)
    return KeyStanding(Standing(*row[:_MEMBER_WIDTH]), *row[_MEMBER_WIDTH:]) if row else None


def place_of_key(public_id: str) -> tuple[UUID, UUID] | None:
    """Find the organization and the id of a key, before any organization is set."""
    row = _one("SELECT organization_id, id FROM orgs_key_named(%s)", public_id)
    return (row[0], row[1]) if row else None


def below(organization_id: UUID, department_id: UUID) -> list[UUID]:
    """List the departments below one."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT id FROM orgs_department WHERE organization_id = %s AND ancestors @> ARRAY[%s]::uuid[]",
            [organization_id, department_id],
        )
        return [row[0] for row in cursor.fetchall()]


def projects(organization_id: UUID) -> list[UUID]:
    """List every project of an organization."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT id FROM orgs_project WHERE organization_id = %s", [organization_id])
        return [row[0] for row in cursor.fetchall()]


def _one(query: str, *values: UUID | str) -> tuple[Any, ...] | None:
    with connection.cursor() as cursor:
        cursor.execute(query, values)
        row: tuple[Any, ...] | None = cursor.fetchone()
    return row
