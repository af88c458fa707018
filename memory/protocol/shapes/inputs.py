"""What goes in."""

from typing import Annotated, Literal

from pydantic import Field

from memory.protocol.fields import (
    Content,
    Instant,
    Label,
    Line,
    Metadata,
    Name,
    Paragraph,
    Query,
    RecordId,
    Share,
    VisibilityWord,
)
from memory.protocol.shapes.bases import Inputs
from memory.protocol.vocabulary import Status

Many = 50


class RememberInputs(Inputs):
    """One fact, decision or agreement, with where it came from."""

    content: Content = Field(
        description="The fact, in one or a few sentences. Secrets in it are replaced before it is stored."
    )
    workspace: Name = Field("default", description="Collection within the project; made by its first record.")
    scope: Label = Field("shared", description="A label to filter by. It grants and hides nothing.")
    source: Label = Field("owner", description="Who is saving: owner, agent, telegram …")
    source_id: Line | None = Field(None, description="The document the fact was read in, e.g. docs/deploy.md.")
    source_hash: Name | None = Field(
        None, description="Hash of that document, e.g. sha256:…; hash the text with line ends as LF."
    )
    source_revision: Name | None = Field(None, description="Version of that document, e.g. a commit.")
    fact_key: Name | None = Field(
        None, description="Lasting name of the topic, e.g. deploy.staging.method; records with one key are versions."
    )
    confidence: Share = Field(0.5, description="0.0 (a guess) to 1.0 (read in a document, or confirmed by a person).")
    derived_from: list[RecordId] = Field(
        default_factory=list, max_length=Many, description="Ids of the records that this one summarises."
    )
    visibility: VisibilityWord | None = Field(
        None, description="Who may see it; the key's or the member's default if omitted."
    )
    tags: list[Label] = Field(default_factory=list, max_length=64)
    content_kind: Label | None = Field(None, description="E.g. fact, decision, summary, conclusion.")
    layer: Label | None = None
    importance: Share | None = None
    verification_basis: Paragraph | None = None
    condition_space: Paragraph | None = Field(None, description="When the fact holds.")
    non_applicable_conditions: Paragraph | None = Field(None, description="When it doesn't.")
    depends_on: list[RecordId] = Field(default_factory=list, max_length=Many)
    relation: Label | None = None
    valid_from: Instant | None = None
    valid_until: Instant | None = Field(None, description="From then on the record is stale.")
    observed_at: Instant | None = Field(None, description="When it was said or seen; now if omitted.")
    session: Name | None = Field(None, description="Label of the conversation or run it was said in.")
    metadata: Metadata = Field(default_factory=dict, description="Free JSON object, at most 16 KiB.")


class Filters(Inputs):
    """Which records to look among. They only ever narrow what the caller may see."""

    workspace: Name | None = None
    scope: Label | None = None
    tags: list[Label] = Field(default_factory=list, max_length=64, description="All of these.")
    source: Label | None = None
    source_id: Line | None = None
    author: RecordId | None = Field(None, description="Id of the member who wrote it.")
    fact_key: Name | None = Field(None, description="A fact key, or a prefix such as deploy.*")
    layer: Label | None = None
    session: Name | None = None
    visibility: VisibilityWord | None = None
    status: Annotated[Status, Field(strict=False)] | None = None
    min_confidence: Share | None = None
    created_from: Instant | None = None
    created_until: Instant | None = None
    updated_from: Instant | None = None
    updated_until: Instant | None = None
    valid_at: Instant | None = Field(None, description="Only records that hold at this time.")
    known_at: Instant | None = Field(None, description="What was known at this time, and not yet superseded.")
    include_superseded: bool = False
    exclude_stale: bool = False
    current_source_hash: Name | None = Field(
        None, description="Hash of the source as it is now; records stored with another are stale."
    )


class SearchInputs(Filters):
    """A question, in any language, or the words or names to look for."""

    query: Query
    limit: int = Field(10, ge=1, le=50)
    cursor: Line | None = Field(None, description="meta.next_cursor of the page before.")
    explain: bool = Field(False, description="Say why each result is there.")


class ForgetInputs(Inputs):
    """What to forget: one record by its id, or all that came from one source."""

    node_id: RecordId | None = None
    memory_id: RecordId | None = Field(None, description="Another name for node_id.")
    id: RecordId | None = Field(None, description="Another name for node_id.")
    source_id: Line | None = Field(None, description="Forget everything the caller may see from this source.")
    workspace: Name | None = Field(None, description="With source_id: only in this workspace.")
    reason: Line | None = None
    action: Literal["forget", "restore"] = "forget"
    override: bool = Field(False, description="Forget it though it is protected; needs the permission to review.")
    force: bool = Field(False, description="Restore it even where the project asks for force.")


class ValidateInputs(Inputs):
    """Which records to check, and the hash of their source as it is now."""

    source_id: Line | None = None
    current_source_hash: Name | Annotated[dict[Line, Name], Field(max_length=500)] | None = Field(
        None, description="Hash of the source now, or a map of source_id to hash for several sources."
    )
    workspace: Name | None = None
    scope: Label | None = None
    fact_key: Name | None = None
    ids: list[RecordId] = Field(default_factory=list, max_length=500)


class WriteInputs(RememberInputs):
    """A record, and how the gates shall treat it."""

    gated: bool = Field(False, description="Ask whether it is worth keeping: a duplicate, does it matter, is it news.")
    consistency: bool = Field(True, description="Ask whether it contradicts a live version of the fact.")
    on_conflict: Literal["record", "defer", "reject"] | None = Field(
        None,
        description="What to do if it does: store both, ask a person, or refuse; the project's default if omitted.",
    )


class SupersedeInputs(Inputs):
    """The record to put out of date, and what takes its place: an existing record, or new content.

    New content takes over the old record's fact key, workspace, scope, tags and kind; where it came from is not taken
    over, for that never proved the new text. It is never more visible than the old record.
    """

    node_id: RecordId
    superseded_by: RecordId | None = Field(None, description="Id of the record that takes its place.")
    content: Content | None = Field(None, description="Text of a new record that takes its place.")
    source: Label = "owner"
    source_id: Line | None = None
    source_hash: Name | None = None
    source_revision: Name | None = None
    confidence: Share = 0.5
    tags: list[Label] | None = Field(None, max_length=64, description="The old record's if omitted.")
    visibility: VisibilityWord | None = Field(None, description="The old record's if omitted; never wider.")
    importance: Share | None = None
    valid_from: Instant | None = None
    valid_until: Instant | None = None
    observed_at: Instant | None = None
    session: Name | None = None
    metadata: Metadata = Field(default_factory=dict)
    on_conflict: Literal["record", "defer", "reject"] | None = None
    reason: Line | None = None


class ReadInputs(Inputs):
    """One node by its id; or the records for a question; or the best of them that fit a budget of tokens."""

    node_id: RecordId | None = None
    offset: int = Field(0, ge=0, le=10_000_000, description="With node_id: from which character on.")
    query: Query | None = None
    intent: Query | None = Field(
        None, description="What you are about to do; used as the question if query is omitted."
    )
    goal: Query | None = Field(None, description="Why; added to the question.")
    context: Query | None = Field(None, description="What you know already; added to the question.")
    budget_tokens: int | None = Field(None, ge=1, le=1_000_000, description="Pack the best records that fit.")
    k: int = Field(10, ge=1, le=50, description="How many records to list, or to consider for a pack by fifties.")
    limit: int | None = Field(None, ge=1, le=50, description="Another name for k.")
    include_recent: bool = Field(False, description="With budget_tokens: also name the newest records.")
    session: Name | None = None
    layer: Label | None = None
    branch: Name | None = Field(None, description="The workspace.")
    validity: Literal["current", "all", "as_of"] = Field(
        "current", description="current; all: superseded ones too; as_of: what held and was known at that time."
    )
    as_of: Instant | None = Field(None, description="The time, with validity as_of.")


class RouteInputs(Inputs):
    """What you are about to do."""

    intent: Query | None = None
    query: Query | None = None
    context: Query | None = Field(None, description="What you know already; added to the question.")
    k: int = Field(5, ge=1, le=50)
