"""Opaque cursors: where an ordered list was left. Pure.

A cursor holds the last row's place, its id, and a fingerprint of what was asked, so that it can't be used for another
list. It gives nothing away: whoever brings it back is shown what they may see behind that place, and nothing else.
"""

import base64
import hashlib
import json
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from orgs.errors import Invalid


@dataclass(frozen=True, slots=True)
class Place:
    """The last row that was shown: what the list is ordered by, and its id."""

    after: str
    id: UUID

    @property
    def at(self) -> datetime:
        """Return the time of a list that is ordered by time, or raise Invalid."""
        try:
            moment = datetime.fromisoformat(self.after)
        except ValueError:
            moment = datetime.min  # noqa: DTZ901 — refused below, as any time without an offset
        if moment.tzinfo is None:
            raise _unknown()
        return moment


def cursor_after(place: Place, *, asked: str) -> str:
    """Write a place down for the client to bring back."""
    parts = [place.after, place.id.hex, _fingerprint(asked)]
    return base64.urlsafe_b64encode(json.dumps(parts).encode()).decode().rstrip("=")


def place_of(cursor: str | None, *, asked: str) -> Place | None:
    """Read a place back, or none from no cursor. Raises Invalid for what was not given out for this list."""
    if cursor is None:
        return None
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        after, id, fingerprint = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
        place = Place(str(after), UUID(id))
        place.after.encode()  # half a pair of surrogates is no text that a database takes
    except (ValueError, TypeError, AttributeError, OverflowError, RecursionError):
        raise _unknown() from None
    if fingerprint != _fingerprint(asked):
        raise Invalid("This cursor belongs to another list.", field="cursor")
    if "\0" in place.after:
        raise _unknown()
    return place


def _unknown() -> Invalid:
    return Invalid("This cursor was not given out here.", field="cursor")


def _fingerprint(asked: str) -> str:
    return hashlib.sha256(asked.encode("utf-8", "replace")).hexdigest()[:16]
