"""What becomes of proposals: the queue, and the decisions on it."""

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from pydantic import Field

from memory.protocol.fields import Content, Line, Name, RecordId
from memory.protocol.shapes.bases import Answer, Inputs
from memory.protocol.shapes.resources import Page, PageMeta
from memory.protocol.shapes.writes import Verdict
from orgs.roles import Visibility

State = Literal["pending", "accepted", "merged", "rejected"]


class PlaceInputs(Inputs):
    """Which project is meant, in the address."""

    project: Name | None = Field(None, description="Short name of a project; a key's own project if omitted.")


class ProposalsInputs(PlaceInputs, Page):
    """Which proposals to list."""

    state: State | None = None


class AcceptInputs(Inputs):
    """Let a proposal in, as it was proposed or with these changes. Everything else stays as proposed."""

    content: Content | None = Field(None, description="The text to store instead.")
    fact_key: Name | None = Field(None, description="The fact key to store instead.")
    derived_from: list[RecordId] | None = Field(None, max_length=50)
    depends_on: list[RecordId] | None = Field(None, max_length=50)
    supersede: bool = Field(
        True, description="Put the record out of date that it was proposed to supersede; false stores it beside that."
    )


class MergeInputs(Inputs):
    """A record says this already; nothing is stored."""

    into: RecordId = Field(description="Id of that record, in the same project.")


class RejectInputs(Inputs):
    """The same content is refused from then on."""

    reason: Line


class Proposal(Answer):
    """A held or refused write. Ids in it are those of records that the caller may see."""

    pid: UUID
    state: State
    moved_to: str
    verdict: Verdict
    inputs: dict[str, Any] = Field(description="What was sent, without its secrets; empty once a record says it.")
    project: UUID
    workspace: str
    visibility: Visibility
    author: UUID | None
    department: UUID | None
    by_agent: bool
    supersedes: UUID | None
    conflicts: list[UUID] = Field(description="Live versions that it would contradict if it were accepted now.")
    created_at: datetime
    decided_at: datetime | None
    decided_by: UUID | None = Field(description="Null while it waits, and for what a rule rejected.")
    reason: str | None
    record: UUID | None = Field(description="What it became, or what it was merged into.")


class ProposalsAnswer(Answer):
    """Proposals, newest first."""

    results: list[Proposal]
    meta: PageMeta


class Decided(Answer):
    """What was decided on a proposal. `id`: the record that it became."""

    ok: Literal[True]
    pid: UUID
    state: State
    id: UUID | None
    committed: bool
    decided_at: datetime
    decided_by: UUID | None
    supersedes: list[UUID] | None = None
    merged_into: UUID | None = None
    reason: str | None = None
    redactions: dict[str, int] | None = Field(None, description="What was redacted from an edited proposal.")
