"""The lines of an export, one JSON object each: a header, records and tombstones by age, their links, an end."""

from typing import Annotated, ClassVar, Literal, Self
from uuid import UUID

from pydantic import Field, model_validator

from memory.protocol.fields import (
    Content,
    Instant,
    Label,
    Line,
    Metadata,
    Name,
    Paragraph,
    RecordId,
    Share,
    VisibilityWord,
    text,
)
from memory.protocol.shapes.bases import Answer, Inputs
from memory.protocol.vocabulary import RelationKind

FactKey = text(400)
Word = Annotated[RelationKind, Field(strict=False)]


class ExportInputs(Inputs):
    """What to export, and how."""

    format: Literal["jsonl", "markdown"] = "jsonl"
    project: Name | None = Field(None, description="Short name of a project: only its records.")


class ImportInputs(Inputs):
    """Where to bring the records in."""

    project: Name | None = Field(None, description="Short name of the project, for members of several.")


class Counts(Inputs):
    """How many lines of each kind there are."""

    records: int = Field(0, ge=0)
    tombstones: int = Field(0, ge=0)
    successions: int = Field(0, ge=0)
    derivations: int = Field(0, ge=0)
    relations: int = Field(0, ge=0)
    doubts: int = Field(0, ge=0)


class HeaderLine(Inputs):
    """What the file is. `project`: the one project whose records it holds, if it is one."""

    type: Literal["header"] = "header"
    format: Literal["palimpsest-export"] = "palimpsest-export"
    version: Literal[1] = 1
    exported_at: Instant
    organization: RecordId
    project: Name | None = None
    by: RecordId | None = None
    counts: Counts
    left_out: list[Line]


class EndLine(Inputs):
    """That the file is whole, and how many lines it holds."""

    type: Literal["end"] = "end"
    counts: Counts


class RecordLine(Inputs):
    """One live record, as it is stored."""

    TEXTS: ClassVar[tuple[str, ...]] = (
        *("workspace", "scope", "content", "source", "source_id", "source_hash", "source_revision", "fact_key"),
        *("tags", "content_kind", "layer", "verification_basis", "condition_space", "non_applicable_conditions"),
        *("relation", "session", "metadata"),
    )
    """What may hold a secret."""

    type: Literal["record"] = "record"
    id: RecordId
    project: Name
    workspace: Name
    scope: Label
    content: Content
    source: Label
    source_id: Line | None = None
    source_hash: Name | None = None
    source_revision: Name | None = None
    fact_key: FactKey | None = None  # type: ignore[valid-type]
    fact_key_by_archivist: bool
    confidence: Share
    visibility: VisibilityWord
    author: RecordId | None = None
    department: RecordId | None = None
    key: RecordId | None = None
    tags: list[Label] = Field(max_length=64)
    content_kind: Label | None = None
    layer: Label | None = None
    importance: Share | None = None
    verification_basis: Paragraph | None = None
    condition_space: Paragraph | None = None
    non_applicable_conditions: Paragraph | None = None
    depends_on: list[RecordId] = Field(max_length=50)
    relation: Label | None = None
    valid_from: Instant | None = None
    valid_until: Instant | None = None
    observed_at: Instant
    session: Name | None = None
    metadata: Metadata
    protected_at: Instant | None = None
    created_at: Instant
    updated_at: Instant

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        _check_order(self)
        return self


class TombstoneLine(Inputs):
    """What stays of a forgotten record; its text is not exported."""

    TEXTS: ClassVar[tuple[str, ...]] = ("workspace", "reason")

    type: Literal["tombstone"] = "tombstone"
    id: RecordId
    project: Name
    workspace: Name
    visibility: VisibilityWord
    author: RecordId | None = None
    department: RecordId | None = None
    content_digest: str = Field(pattern=r"^[0-9a-f]{64}$")
    created_at: Instant
    updated_at: Instant
    forgotten_at: Instant
    forgotten_by: RecordId | None = None
    reason: Line | None = None

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        _check_order(self)
        return self


class SuccessionLine(Inputs):
    """A record took the place of another."""

    type: Literal["succession"] = "succession"
    old: RecordId
    new: RecordId
    at: Instant
    undone_at: Instant | None = None


class DerivationLine(Inputs):
    """A summary was built from a record, or from one that is forgotten by now."""

    type: Literal["derivation"] = "derivation"
    summary: RecordId
    source: RecordId
    place: int = Field(ge=0, le=1_000)


class RelationLine(Inputs):
    """One record bears on another."""

    type: Literal["relation"] = "relation"
    origin: RecordId
    target: RecordId
    kind: Word
    weight: Share
    created_at: Instant
    undone_at: Instant | None = None


class DoubtLine(Inputs):
    """A newer record refines or refutes an older one."""

    type: Literal["doubt"] = "doubt"
    record: RecordId
    because: RecordId
    amount: float = Field(ge=0, le=0.4)
    refutes: bool
    created_at: Instant
    undone_at: Instant | None = None


class NewId(Answer):
    """A record that came in under another id, for the one it had is taken elsewhere."""

    was: UUID
    id: UUID


class Difference(Answer):
    """A record that is here already and says something else; it stays as it is."""

    line: int
    id: UUID
    fields: list[str]


class StoppedAt(Answer):
    """The line that could not be read. What stands before it is in; mend it and send the file again."""

    line: int
    field: str | None
    detail: str


class ImportReport(Answer):
    """What became of a file. Sending it again changes nothing that is in already.

    `lines`: how many were dealt with. The lists hold the first thousand each; the counts are of all.
    """

    ok: bool
    complete: bool = Field(description="True when the file's last line was reached and says that it is whole.")
    project: str
    lines: int
    created: Counts
    unchanged: int
    differing: int
    differences: list[Difference]
    renamed: int
    new_ids: list[NewId]
    narrowed: int = Field(description="Records whose visibility had to be narrowed here.")
    authors_replaced: list[UUID] = Field(description="Authors who are no members here; the importer stands for them.")
    links_left_out: int = Field(description="Links to records that are not in the file or not taken from it.")
    records_left_out: int = Field(description="Records of other projects than the file's own.")
    redactions: dict[str, int]
    stopped_at: StoppedAt | None


def _check_order(line: RecordLine | TombstoneLine) -> None:
    if line.updated_at < line.created_at:
        raise ValueError("must be updated after it was created")
