"""Ways in: for one e-mail address, once, for seven days. Only a hash of the token is kept."""

import hmac
import secrets
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from django.conf import settings
from django.db import connection

from orgs.audit import note, note_in
from orgs.caller import Caller
from orgs.errors import Unknown
from orgs.models import Invitation, Membership, User, normal_email
from orgs.operations.asking import require_duty
from orgs.operations.people import checked_department, checked_term, place, require_rank
from orgs.roles import Duty, Role
from orgs.tenancy import acting_for

LASTS = timedelta(days=7)


class Sent(NamedTuple):
    """An invitation, and the token that is told once."""

    invitation: Invitation
    token: str


def invite(
    by: Caller,
    *,
    email: str,
    role: Role,
    department_id: UUID | None = None,
    term_days: int | None = None,
    now: datetime,
) -> Sent:
    """Make a way in for this address. A contractor's term begins when they come."""
    require_duty(by, Duty.PEOPLE)
    require_rank(by, role)
    token = secrets.token_urlsafe(32)
    with acting_for(by.organization_id):
        invitation = Invitation.objects.create(
            organization_id=by.organization_id,
            email=normal_email(email),
            role=role,
            department_id=checked_department(by.organization_id, role, department_id),
            term_days=checked_term(role, term_days),
            digest=_digest(token),
            invited_by=Membership.objects.get(organization_id=by.organization_id, user_id=by.user_id),
            created_at=now,
            expires_at=now + LASTS,
        )
        note(
            by,
            verb="member.invite",
            object_type="invitation",
            object_id=invitation.id,
            now=now,
            details={"email": invitation.email, "role": role},
        )
    return Sent(invitation, token)


def accept_invitation(token: str, user: User, *, now: datetime) -> Membership:
    """Make the invited person a member; raise Unknown, always alike, for any but their own live token."""
    organization_id, invitation_id = _place(token)
    with acting_for(organization_id):
        held = Invitation.objects.filter(organization_id=organization_id, id=invitation_id)
        waiting = held.filter(email=user.email, accepted_at=None, expires_at__gt=now)
        invitation = waiting.select_for_update(no_key=True).first()
        if invitation is None:
            raise Unknown("There is no such invitation.")
        member = place(
            organization_id,
            user,
            Role(invitation.role),
            invitation.department_id,
            invitation.term_days,
            now=now,
        )
        invitation.accepted_at = now
        invitation.save(update_fields=["accepted_at"])
        note_in(
            organization_id,
            verb="member.accept",
            object_type="member",
            object_id=member.id,
            user_id=user.id,
            now=now,
        )
    return member


def _place(token: str) -> tuple[UUID, UUID]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT organization_id, id FROM orgs_invitation_with(%s)", [_digest(token)])
        row = cursor.fetchone()
    if row is None:
        raise Unknown("There is no such invitation.")
    return row[0], row[1]


def _digest(token: str) -> str:
    return hmac.digest(settings.KEY_PEPPER.encode(), f"invitation:{token}".encode(), "sha256").hex()
