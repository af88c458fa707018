"""Who comes, what they become, and who goes."""

from datetime import datetime, timedelta
from uuid import UUID

from orgs import grants
from orgs.audit import note
from orgs.caller import Caller
from orgs.errors import Forbidden, Invalid, Unprocessable
from orgs.models import Department, Membership, User
from orgs.operations.asking import found, one_of_a_kind, organization_locked, require_duty, trusted_with
from orgs.roles import Duty, Role
from orgs.tenancy import acting_for

SHORTEST_TERM, LONGEST_TERM = 1, 365
"""A contractor's term, in days."""


def add_member(
    by: Caller,
    user: User,
    *,
    role: Role,
    department_id: UUID | None = None,
    term_days: int | None = None,
    now: datetime,
) -> Membership:
    """Make a person a member at once; raise Clash if they are one. Others are invited."""
    require_duty(by, Duty.PEOPLE)
    require_rank(by, role)
    with acting_for(by.organization_id):
        member = place(by.organization_id, user, role, department_id, term_days, now=now)
        _note(by, "member.add", member, now=now, details={"role": role, "department": department_id})
    return member


def change_member(
    by: Caller,
    member_id: UUID,
    *,
    role: Role,
    department_id: UUID | None = None,
    term_days: int | None = None,
    now: datetime,
) -> Membership:
    """Give a member another role, department or term; raise Unprocessable rather than lose the last owner."""
    require_duty(by, Duty.PEOPLE)
    require_rank(by, role)
    with acting_for(by.organization_id):
        organization_locked(by)
        member = found(Membership, member_id, by=by, what="member", lock=True)
        require_rank(by, Role(member.role))
        if role != Role.OWNER:
            _keep_an_owner(member)
        before = {"role": member.role, "department": member.department_id, "ends_at": member.ends_at}
        member.department_id = checked_department(by.organization_id, role, department_id)
        member.role, member.ends_at = role, _end(role, term_days, now=now)
        member.save(update_fields=["role", "department", "ends_at"])
        after = {"role": role, "department": department_id, "ends_at": member.ends_at}
        _note(by, "member.change", member, now=now, details={"before": before, "after": after})
    return member


def suspend_member(by: Caller, member_id: UUID, *, now: datetime) -> Membership:
    """Stop a member, and with them every key they own, from their next call on."""
    with acting_for(by.organization_id):
        organization_locked(by)
        member = found(Membership, member_id, by=by, what="member", lock=True)
        _require_say_over(by, member)
        _keep_an_owner(member)
        if member.suspended_at is None:
            member.suspended_at = now
            member.save(update_fields=["suspended_at"])
            _note(by, "member.suspend", member, now=now)
    return member


def reinstate_member(by: Caller, member_id: UUID, *, now: datetime) -> Membership:
    """Let a suspended member back in; keys that were revoked meanwhile stay so."""
    with acting_for(by.organization_id):
        member = found(Membership, member_id, by=by, what="member", lock=True)
        _require_say_over(by, member)
        member.suspended_at = None
        member.save(update_fields=["suspended_at"])
        _note(by, "member.reinstate", member, now=now)
    return member


def withdraw_everything(by: Caller, member_id: UUID, *, now: datetime) -> None:
    """Take back all that was granted to one member, who leaves."""
    with acting_for(by.organization_id):
        member = found(Membership, member_id, by=by, what="member", lock=True)
        _require_say_over(by, member)
        grants.withdraw_all(member)
        _note(by, "member.withdraw", member, now=now)


def require_rank(by: Caller, role: Role) -> None:
    """Let only an owner make, change or stop an owner."""
    if role == Role.OWNER and by.role != Role.OWNER:
        raise Forbidden("Only an owner decides about owners.")


def place(
    organization_id: UUID,
    user: User,
    role: Role,
    department_id: UUID | None,
    term_days: int | None,
    *,
    now: datetime,
) -> Membership:
    """Keep a new membership whose rights were checked already. Needs the organization's transaction."""
    with one_of_a_kind("user", "This person is a member already."):
        return Membership.objects.create(
            organization_id=organization_id,
            user=user,
            role=role,
            department_id=checked_department(organization_id, role, department_id),
            ends_at=_end(role, term_days, now=now),
            created_at=now,
        )


def checked_department(organization_id: UUID, role: Role, department_id: UUID | None) -> UUID | None:
    """Return the department if it fits the role, or raise Invalid. Needs the organization's transaction."""
    if department_id is None and role == Role.HEAD:
        raise Invalid("A head needs a department.", field="department")
    if department_id is None:
        return None
    if not Department.objects.filter(organization_id=organization_id, id=department_id).exists():
        raise Invalid("There is no such department here.", field="department")
    return department_id


def checked_term(role: Role, term_days: int | None) -> int | None:
    """Return the days of a contractor's term, or raise Invalid; nobody else has one."""
    if role != Role.CONTRACTOR:
        if term_days is not None:
            raise Invalid("Only a contractor has a term.", field="term_days")
        return None
    if term_days is None or not SHORTEST_TERM <= term_days <= LONGEST_TERM:
        raise Invalid(f"A contractor's term has {SHORTEST_TERM} to {LONGEST_TERM} days.", field="term_days")
    return term_days


def _end(role: Role, term_days: int | None, *, now: datetime) -> datetime | None:
    days = checked_term(role, term_days)
    return None if days is None else now + timedelta(days=days)


def _require_say_over(by: Caller, member: Membership) -> None:
    """Let admins decide about everybody but owners, and heads about plain members in their line."""
    require_rank(by, Role(member.role))
    if trusted_with(by, Duty.PEOPLE):
        return
    home, theirs = by.home_department_id, member.department
    in_line = theirs is not None and home is not None and home in (theirs.id, *theirs.ancestors)
    plain = member.role in (Role.MEMBER, Role.CONTRACTOR)
    if by.key_id is not None or by.role != Role.HEAD or not in_line or not plain:
        raise Forbidden("Your role does not include this.")


def _keep_an_owner(member: Membership) -> None:
    if member.role != Role.OWNER or member.suspended_at is not None:
        return
    others = Membership.objects.filter(
        organization_id=member.organization_id, role=Role.OWNER, suspended_at=None, user__is_active=True
    ).exclude(id=member.id)
    if not others.exists():
        raise Unprocessable("The last owner cannot leave.", hint="Make somebody else an owner first.")


def _note(
    by: Caller, verb: str, member: Membership, *, now: datetime, details: dict[str, object] | None = None
) -> None:
    note(by, verb=verb, object_type="member", object_id=member.id, now=now, details=details)
