"""Writes the audit log. An organization's events queue behind one lock, taken at the very end of a transaction."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from orgs.caller import Caller
from orgs.models import AuditEvent
from orgs.tenancy import leave

_MOST_CHARACTERS = 16_000


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a call came from, as far as the log may say it."""

    request_id: str = ""
    address: str = ""


_NOWHERE = Origin()
_origin: ContextVar[Origin] = ContextVar("orgs_audit_origin", default=_NOWHERE)


@contextmanager
def coming_from(*, request_id: str = "", address: str = "") -> Iterator[None]:
    """Let every event noted within say where the call came from."""
    token = _origin.set(Origin(request_id[:200], address[:64]))
    try:
        yield
    finally:
        _origin.reset(token)


def note(
    caller: Caller,
    *,
    verb: str,
    object_id: UUID | str = "",
    object_type: str = "",
    now: datetime,
    details: Mapping[str, Any] | None = None,
) -> None:
    """Keep one act of a caller's. `details` is small and holds neither secrets nor a record's text.

    Needs the organization's transaction, and is written as its last act.
    """
    note_in(
        caller.organization_id,
        verb=verb,
        object_id=object_id,
        object_type=object_type,
        user_id=caller.user_id,
        key_id=caller.key_id,
        now=now,
        details=details,
    )


def note_in(
    organization_id: UUID,
    *,
    verb: str,
    object_id: UUID | str = "",
    object_type: str = "",
    user_id: UUID | None = None,
    key_id: UUID | None = None,
    now: datetime,
    details: Mapping[str, Any] | None = None,
) -> None:
    """Keep one event of an organization's that no caller stands behind: a refusal, an operator's act."""
    origin = _origin.get()
    event = AuditEvent(
        organization_id=organization_id,
        at=now,
        verb=verb,
        user_id=user_id,
        key_id=key_id,
        object_type=object_type,
        object_id=str(object_id),
        details=_canonical(details or {}),
        request_id=_plain(origin.request_id),
        address=_plain(origin.address),
    )
    leave(lambda: event.save(force_insert=True))


def noted_since(organization_id: UUID, since: datetime, event: Mapping[str, Any]) -> bool:
    """Say whether an event with these fields was noted after that time. Needs the organization's transaction."""
    same = {**event, "details": _canonical(event["details"])}
    return AuditEvent.objects.filter(organization_id=organization_id, at__gt=since, **same).exists()


def _canonical(details: Mapping[str, Any]) -> str:
    text = json.dumps(dict(details), sort_keys=True, default=str, separators=(",", ":"))
    return text if len(text) <= _MOST_CHARACTERS else json.dumps({"left_out": "too long"})


def _plain(text: str) -> str:
    return "".join(character for character in text if character.isprintable())
