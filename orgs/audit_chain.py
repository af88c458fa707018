"""How audit events hang together, so that anybody with the rows can check them without the database.

Each event's digest covers its own fields and the digest before it. The database makes the digests (a trigger,
in the migration `orgs.0002_guards`); this is the same rule written a second time, to check by.
Pure: no framework is imported here.
"""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Protocol
from uuid import UUID

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Event(Protocol):
    """The fields of an audit event that the chain covers."""

    id: UUID
    organization_id: UUID
    number: int
    at: datetime
    verb: str
    user_id: UUID | None
    key_id: UUID | None
    object_type: str
    object_id: str
    request_id: str
    address: str
    details: str
    previous_digest: str
    digest: str


@dataclass(frozen=True, slots=True)
class Chain:
    """What a walk along a chain found: how many events held, the last one's digest, and the first break."""

    length: int
    digest: str
    broken_at: int | None


def digest_of(event: Event) -> str:
    """Hash an event as the database does (SHA-256 of a JSON array of strings, 64 hexadecimal digits)."""
    microseconds = (event.at - _EPOCH) // timedelta(microseconds=1)
    fields = [
        *(event.previous_digest, event.number, event.id, event.organization_id, microseconds, event.verb),
        *(event.user_id or "", event.key_id or "", event.object_type, event.object_id),
        *(event.request_id, event.address, event.details),
    ]
    text = json.dumps([str(value) for value in fields], ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def walk(events: Iterable[Event]) -> Chain:
    """Follow one organization's events in the order of their numbers, up to the first that does not fit."""
    length, digest = 0, ""
    for event in events:
        fits = event.number == length + 1 and event.previous_digest == digest
        if not fits or event.digest != digest_of(event):
            return Chain(length, digest, broken_at=event.number)
        length, digest = event.number, event.digest
    return Chain(length, digest, broken_at=None)
