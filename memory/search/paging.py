"""Where a page ends: an opaque cursor that stays right when records are written or forgotten between two pages.

Pure. It holds when the first page was made (what was written later is not looked at), the last record shown, how many
were shown, and a fingerprint of the question, so that it can't be used for another one.
"""

import base64
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from orgs.errors import Invalid


@dataclass(frozen=True, slots=True)
class Place:
    """How far one has come in a ranking."""

    begun_at: datetime
    last: UUID
    shown: int


def next_cursor(place: Place, *, asked: str) -> str:
    """Write a place down for the client to bring back."""
    parts = [place.begun_at.isoformat(), place.last.hex, place.shown, _fingerprint(asked)]
    return base64.urlsafe_b64encode(json.dumps(parts).encode()).decode().rstrip("=")


def read_cursor(cursor: str, *, asked: str) -> Place:
    """Read a place back. Raises Invalid for anything that was not written for this question."""
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        begun_at, last, shown, fingerprint = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
        place = Place(datetime.fromisoformat(begun_at), UUID(last), int(shown))
    except (ValueError, TypeError, AttributeError, OverflowError, RecursionError):
        raise Invalid("This cursor was not given out here.", field="cursor") from None
    if fingerprint != _fingerprint(asked) or place.begun_at.tzinfo is None or not 0 < place.shown < 100_000:
        raise Invalid("This cursor belongs to another question.", field="cursor")
    return place


def rest_after(place: Place, ids: Sequence[UUID]) -> int:
    """Return where the next page begins: after the last record shown, or, if that is gone, after as many."""
    return ids.index(place.last) + 1 if place.last in ids else min(place.shown, len(ids))


def _fingerprint(asked: str) -> str:
    return hashlib.sha256(asked.encode("utf-8", "replace")).hexdigest()[:16]
