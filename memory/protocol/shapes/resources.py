"""What goes in and comes out of the addresses beside the verbs: lists, histories, protection, conflicts, counts."""

from datetime import date, datetime
from typing import Any, Literal, Self
from uuid import UUID

from pydantic import Field, model_validator

from memory.protocol.fields import Line, Name, RecordId
from memory.protocol.shapes.bases import Answer, Inputs, Problem
from memory.protocol.shapes.inputs import Filters
from memory.protocol.shapes.records import GraphRelation, Record
from memory.protocol.vocabulary import Status


class Page(Inputs):
    """Which page of a list."""

    limit: int = Field(20, ge=1, le=100)
    cursor: Line | None = Field(None, description="meta.next_cursor of the page before, with the same filters.")


class ListInputs(Filters, Page):
    """Which records to list, newest first."""


class PageMeta(Answer):
    """Whether there is more: `next_cursor` is null on the last page. A page may be short and still have a next one."""

    count: int
    limit: int
    next_cursor: str | None


class RecordList(Answer):
    """Records, newest first."""

    results: list[Record]
    meta: PageMeta


class RelationsInputs(Inputs):
    """How many links to show."""

    limit: int = Field(100, ge=1, le=500)


class RelationsAnswer(Answer):
    """The links of one record to others that the caller sees, strongest first."""

    id: UUID
    results: list[GraphRelation]
    truncated: bool


class Nothing(Inputs):
    """Nothing is asked for but the address itself."""


class ReasonInputs(Inputs):
    """Why it is done."""

    reason: Line | None = None


class Protection(Answer):
    """Whether a record is forgotten only by override, and since when."""

    ok: Literal[True]
    id: UUID
    protected_at: datetime | None


class Reinstated(Answer):
    """A superseded record counts again; `no_longer_by` is what had taken its place."""

    ok: Literal[True]
    id: UUID
    no_longer_by: list[UUID]


class Decision(Answer):
    """One thing the archivist decided about a record, alone or with another in view."""

    id: UUID
    record: UUID
    about: UUID | None
    what: Literal["relates_to", "fixes_issue", "supersedes", "refines", "refutes", "fact_key"]
    amount: float | None
    reason: str
    judge: str
    judge_version: str
    at: datetime
    undone_at: datetime | None
    undone_by: UUID | None


class DecisionList(Answer):
    """Decisions, newest first."""

    results: list[Decision]
    meta: PageMeta


class ConflictInputs(Inputs):
    """Which conflicts to list: those whose newest version is newest come first."""

    workspace: Name | None = None
    fact_key: Name | None = Field(None, description="A fact key, or a prefix such as deploy.*")
    limit: int = Field(20, ge=1, le=50)
    cursor: Line | None = Field(None, description="meta.next_cursor of the page before.")


class Conflict(Answer):
    """One fact whose live versions differ: which of them is right? `options` are the newest, `count` is of all."""

    project: UUID
    workspace: str
    fact_key: str
    newest_at: datetime
    count: int
    options: list[Record]


class ConflictList(Answer):
    """Facts whose live versions differ, as the caller sees them."""

    results: list[Conflict]
    meta: PageMeta


class SettleInputs(Inputs):
    """One fact, and one answer: keep this one, both are right, or none is."""

    project: Name | None = Field(None, description="Short name of the project, for members of several.")
    workspace: Name = "default"
    fact_key: Name
    keep: RecordId | None = Field(None, description="This one is right; it supersedes the others.")
    both: dict[RecordId, Name] | None = Field(
        None, min_length=1, max_length=50, description="They are different facts: new fact keys by record id."
    )
    none: bool = Field(False, description="None is right: all are forgotten, for the reason given.")
    reason: Line | None = None

    @model_validator(mode="after")
    def _one_answer(self) -> Self:
        if sum([self.keep is not None, self.both is not None, self.none]) != 1:
            raise ValueError("must hold exactly one answer: keep, both or none")
        if self.none and self.reason is None:
            raise ValueError("must give a reason when none is right")
        return self


class Settled(Answer):
    """What became of the versions."""

    ok: Literal[True]
    workspace: str
    fact_key: str
    kept: UUID | None
    superseded: list[UUID]
    renamed: dict[UUID, str]
    forgotten: list[UUID]


class WorkspacesInputs(Inputs):
    """Which page of the workspaces."""

    limit: int = Field(100, ge=1, le=500)
    cursor: Line | None = Field(None, description="meta.next_cursor of the page before.")


class ListedWorkspace(Answer):
    """A workspace, and how much the caller sees in it."""

    name: str
    project: UUID
    records: int
    newest_at: datetime


class WorkspaceList(Answer):
    """Workspaces in which the caller sees a record, by name."""

    results: list[ListedWorkspace]
    meta: PageMeta


class StatsInputs(Inputs):
    """What to count."""

    workspace: Name | None = None
    days: int | None = Field(None, ge=1, le=366, description="Only records of the last so many days.")


class Stats(Answer):
    """Counts of live records that the caller sees; of the newest of them only, when `complete` is false."""

    records: int
    complete: bool
    by_status: dict[Status, int]
    by_workspace: dict[str, int]
    by_day: dict[date, int] = Field(description="By day of saving, in UTC.")


class BatchInputs(Inputs):
    """Up to a hundred facts; each is what remember takes, and is answered on its own."""

    items: list[dict[str, Any]] = Field(min_length=1, max_length=100)


class BatchItem(Answer):
    """What became of one fact: an answer of remember in the form named, or, with the form refused, a problem."""

    index: int
    form: str
    answer: dict[str, Any] | None = None
    problem: Problem | None = None


class BatchAnswer(Answer):
    """What became of each fact, in the order in which they were sent."""

    committed: int
    stopped: int
    refused: int
    results: list[BatchItem]
