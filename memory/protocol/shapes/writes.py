"""What the forms of `write` answer. Every form has the trio: ok, id, committed."""

from typing import Any, Literal
from uuid import UUID

from pydantic import Field

from memory.protocol.shapes.bases import Answer
from memory.protocol.vocabulary import VerdictState

HINT = (
    "This is the gate's normal behaviour, not a tool failure; the same call gives the same result, so don't retry. "
    "Next: {next}."
)


class Verdict(Answer):
    """What a gate thinks of a write. Clients act on `state`: usable, to be completed, unusable."""

    state: VerdictState
    kind: str = Field(description="Which rule or question decided.")
    basis: str = Field(description="What it was judged by.")
    evidence: list[Any] = Field(description="Ids and figures that the caller may see.")
    detail: str


class Consistency(Answer):
    """Whether live versions of the fact, as far as the caller sees them, say something else."""

    conflicts: list[UUID]
    on_conflict: Literal["record", "defer", "reject"]


class Committed(Answer):
    """The record is stored."""

    ok: Literal[True]
    id: UUID
    committed: Literal[True]
    verdict: Verdict | None = None
    consistency: Consistency | None = None
    propagation: dict[str, Any] | None = None


class ShortCircuit(Answer):
    """A gate stopped the write: it is held, or refused. Nothing is stored as a record."""

    ok: Literal[True]
    id: None
    committed: Literal[False]
    moved_to: str
    verdict: Verdict
    hint: str
    pid: UUID | None = Field(None, description="The proposal, to follow it by.")
    dedup: bool | None = Field(None, description="The same content was proposed before.")
    dup_of: UUID | None = None
    dup_status: str | None = None
    consistency: Consistency | None = None


class HardReject(Answer):
    """The write breaks its contract."""

    ok: Literal[False]
    id: None
    committed: Literal[False]
    gate: str
    error: str
    hint: str
    missing: list[str] | None = None
    verdict: Verdict | None = None


class Gated(Answer):
    """The forgetting gate decided, because it was asked to."""

    ok: Literal[True]
    id: UUID | None
    committed: bool
    gate: str
    verdict: Verdict
    consistency: Consistency | None = None
    moved_to: str | None = None
    propagation: dict[str, Any] | None = None


class Superseded(Answer):
    """The old record stays, readable by its id, and is out of date. With new content, the trio of its write too."""

    ok: Literal[True]
    id: UUID
    superseded_by: UUID
    supersedes: list[UUID] | None = Field(
        None, description="What the successor supersedes, as far as the caller sees it."
    )
    committed: bool | None = None
    propagation: dict[str, Any] | None = None
    verdict: Verdict | None = None
