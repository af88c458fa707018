"""A record, as a caller sees it."""

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from pydantic import Field

from memory.protocol.fields import Share
from memory.protocol.shapes.bases import Answer
from memory.protocol.vocabulary import Direction, Reason, RelationKind, Status
from orgs.roles import Visibility


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
    supersedes: list[UUID]
    newest_version_id: UUID | None = Field(
        description="Null for the newest version itself, and for a fact of one version."
    )
    explanation: Explanation | None = None


class RememberedRecord(Record):
    """The stored record, with the write trio and what was redacted from it."""

    ok: Literal[True]
    committed: Literal[True]
    redactions: dict[str, int] = Field(description="Kinds of secrets replaced and how many; never the secrets.")
