"""What every operation asks first: may they, and is the thing there."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar
from uuid import UUID

from django.db import IntegrityError, models, transaction

from orgs.caller import Caller
from orgs.errors import Clash, Forbidden, Unknown
from orgs.models import Organization
from orgs.roles import DUTIES, Duty

Row = TypeVar("Row", bound=models.Model)


def trusted_with(by: Caller, duty: Duty) -> bool:
    """Say whether a person, and not merely a key of theirs, is trusted with this."""
    return by.key_id is None and duty in DUTIES[by.role]


def require_duty(by: Caller, duty: Duty) -> None:
    """Let the person pass, or raise Forbidden."""
    if not trusted_with(by, duty):
        raise Forbidden("Your role does not include this.")


def found(model: type[Row], id: UUID | None, *, by: Caller, what: str, lock: bool = False) -> Row:
    """Find a row of the caller's organization, or raise Unknown. Needs the organization's transaction."""
    rows = model._base_manager.filter(organization_id=by.organization_id, id=id)
    row = (rows.select_for_update(no_key=True) if lock else rows).first()
    if row is None:
        raise Unknown(f"There is no such {what} here.", field=what)
    return row


def organization_locked(by: Caller) -> Organization:
    """Let one change at a time reshape the organization: its tree, its owners. Needs its transaction."""
    return Organization.objects.select_for_update(no_key=True).get(id=by.organization_id)


@contextmanager
def one_of_a_kind(field: str, detail: str) -> Iterator[None]:
    """Turn the database's refusal of a duplicate into a Clash."""
    try:
        with transaction.atomic():
            yield
    except IntegrityError as refused:
        raise Clash(detail, field=field) from refused
