"""What comes out."""

from datetime import datetime
from typing import Literal
from uuid import UUID

from pydantic import Field

from memory.protocol.shapes.bases import Answer
from memory.protocol.shapes.records import Record, StatusReason
from memory.protocol.vocabulary import Status

FailedFor = Literal["unknown", "protected", "not_forgotten", "needs_force", "already_superseded", "cycle"]


class SearchMeta(Answer):
    """How the page was made."""

    count: int
    limit: int
    next_cursor: str | None
    semantic: Literal["complete", "unavailable"] | int = Field(
        description="complete; unavailable (answered by words alone); or how many records still lack a vector."
    )


class SearchAnswer(Answer):
    """Records, best first."""

    results: list[Record]
    meta: SearchMeta


class Tombstone(Answer):
    """What stays of a forgotten record: that it existed, who removed it, when and why."""

    id: UUID
    forgotten_at: datetime
    forgotten_by: UUID | None
    reason: str | None


class Forgotten(Answer):
    """One record has left search and graph."""

    ok: Literal[True]
    id: UUID
    tombstone: Tombstone


class ForgottenSource(Answer):
    """All records of one source that the caller may see have left search and graph."""

    ok: Literal[True]
    source_id: str
    count: int


class Restored(Answer):
    """A forgotten record is back."""

    ok: Literal[True]
    id: UUID
    forced: bool


class Failed(Answer):
    """Nothing was changed."""

    ok: Literal[False]
    error: FailedFor
    reason: str
    action: str


class CheckedRecord(Answer):
    """One record's standing against its source."""

    id: UUID
    source_id: str | None
    fact_key: str | None
    status: Status
    reasons: list[StatusReason]


class ValidateAnswer(Answer):
    """What of the records checked may be out of date or contradicted."""

    checked: int
    source_id: str | None
    workspace: str | None
    current_source_hash: str | dict[str, str] | None
    stale_count: int
    stale_ids: list[UUID]
    conflict_count: int
    conflict_ids: list[UUID]
    records: list[CheckedRecord]
    truncated: bool = Field(description="True when more records matched than one call checks.")
