"""The closed sets of words that the protocol speaks."""

from enum import StrEnum


class Status(StrEnum):
    """What a reader should think of a record, mildest first. There is no `verified`."""

    UNVERIFIED = "unverified"
    STALE = "stale"
    CONFLICT = "conflict"

    @property
    def gravity(self) -> int:
        """Return 0 for the mildest status; a greater number wins."""
        return list(Status).index(self)


class Reason(StrEnum):
    """Why a status is what it is."""

    OTHER_VERSIONS = "other_versions"
    SOURCE_CONFLICT = "source_conflict"
    SOURCE_CHANGED = "source_changed"
    REFUTED = "refuted"
    SUPERSEDED = "superseded"
    EXPIRED = "expired"
    SOURCE_STALE = "source_stale"
    SOURCE_FORGOTTEN = "source_forgotten"

    @property
    def status(self) -> Status:
        """Return the status this reason brings about."""
        return Status.CONFLICT if self in {Reason.OTHER_VERSIONS, Reason.SOURCE_CONFLICT} else Status.STALE


class RelationKind(StrEnum):
    """How one record bears on another."""

    RELATES_TO = "relates_to"
    FIXES_ISSUE = "fixes_issue"
    SUPERSEDES = "supersedes"


class Direction(StrEnum):
    """Which way a relation points, as seen from the record shown."""

    OUTGOING = "outgoing"
    INCOMING = "incoming"


class VerbStatus(StrEnum):
    """Whether a verb works or only holds its name."""

    LIVE = "live"
    RESERVED = "reserved"


class VerdictState(StrEnum):
    """What a gate thinks of a write: usable, unusable, to be completed, or nothing to judge by."""

    ACCEPT = "ACCEPT"
    REJECT = "REJECT"
    DEFER = "DEFER"
    BLINDSPOT = "BLINDSPOT"
