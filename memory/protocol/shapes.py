"""The shapes of what goes in and what comes out: frozen, typed, unknown fields refused."""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

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
from memory.protocol.vocabulary import Direction, Reason, RelationKind, Status
from orgs.roles import Visibility

Many = 50


class Inputs(BaseModel):
    """What a caller passes. An explicit null for an optional parameter means that it was omitted."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        schema = handler.resolve_ref_schema(handler(core))
        for name, field in schema.get("properties", {}).items():
            if name not in schema.get("required", []) and "anyOf" not in field:
                described = {key: field.pop(key) for key in ("description", "default", "title") if key in field}
                schema["properties"][name] = {"anyOf": [field, {"type": "null"}], **described}
        return schema


class Answer(BaseModel):
    """What a verb answers. Keys with a default are optional and left out when not set."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    def as_json(self) -> str:
        """Return the answer as JSON text, without the optional keys that were not set."""
        return self.model_dump_json(exclude_unset=True)


# --- what goes in -------------------------------------------------------------------------------


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

    memory_id: RecordId | None = None
    id: RecordId | None = Field(None, description="Another name for memory_id.")
    source_id: Line | None = Field(None, description="Forget everything the caller may see from this source.")
    workspace: Name | None = Field(None, description="With source_id: only in this workspace.")
    reason: Line | None = None
    action: Literal["forget", "restore"] = "forget"


class ValidateInputs(Inputs):
    """Which records to check, and the hash of their source as it is now."""

    source_id: Line | None = None
    current_source_hash: Name | dict[Line, Name] | None = Field(
        None, description="Hash of the source now, or a map of source_id to hash for several sources."
    )
    workspace: Name | None = None
    scope: Label | None = None
    fact_key: Name | None = None
    ids: list[RecordId] = Field(default_factory=list, max_length=500)


# --- what comes out -----------------------------------------------------------------------------


class StatusReason(Answer):
    """One reason for a status; the records concerned, as far as the caller may see them."""

    reason: Reason
    ids: list[UUID]
    count: int


class GraphRelation(Answer):
    """A link to another record that the caller may see."""

    relation: RelationKind
    direction: Direction
    weight: Share
    target_id: UUID
    preview: str = Field(description="First 120 characters of the other record.")


class Explanation(Answer):
    """Why a result is where it is; ranks start at 1 and are null where that ranking had nothing to say."""

    lexical_rank: int | None
    semantic_rank: int | None
    similarity: float | None
    boosts: list[str]


class Record(Answer):
    """One record, as the caller sees it now."""

    id: UUID
    workspace: str
    scope: str
    content: str
    source: str
    source_id: str | None
    source_hash: str | None
    source_revision: str | None
    fact_key: str | None
    confidence: float
    status: Status
    reasons: list[StatusReason]
    derived_from: list[UUID]
    score: float | None
    graph_relations: list[GraphRelation]
    created_at: datetime
    updated_at: datetime
    project: UUID
    author: UUID | None
    department: UUID | None
    visibility: Visibility
    tags: list[str]
    content_kind: str | None
    layer: str | None
    importance: float | None
    verification_basis: str | None
    condition_space: str | None
    non_applicable_conditions: str | None
    depends_on: list[UUID]
    relation: str | None
    valid_from: datetime | None
    valid_until: datetime | None
    observed_at: datetime
    session: str | None
    metadata: dict[str, Any]
    superseded_by: UUID | None
    newest_version_id: UUID | None = Field(
        description="Null for the newest version itself, and for a fact of one version."
    )
    explanation: Explanation | None = None


class RememberedRecord(Record):
    """The stored record, with the write trio and what was redacted from it."""

    ok: Literal[True]
    committed: Literal[True]
    redactions: dict[str, int] = Field(description="Kinds of secrets replaced and how many; never the secrets.")


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
    error: str
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


class Problem(BaseModel):
    """An expected "no" (RFC 9457). `code` is stable; further members depend on it."""

    model_config = ConfigDict(extra="allow", frozen=True)

    type: str = "about:blank"
    title: str
    status: int
    code: str
    detail: str = ""
    request_id: str = ""
