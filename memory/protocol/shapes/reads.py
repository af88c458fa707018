"""What `read` and `route` answer."""

from typing import Any, Literal
from uuid import UUID

from pydantic import Field

from memory.protocol.shapes.answers import SearchMeta
from memory.protocol.shapes.bases import Answer
from memory.protocol.shapes.records import Record
from memory.protocol.vocabulary import Status


class Node(Answer):
    """A record as a Markdown node. Long content comes in pieces: pass `next_offset` as `offset`."""

    id: UUID
    path: str = Field(description="<project>/<workspace>/<fact_key or id>.md")
    frontmatter: dict[str, Any]
    content: str
    verification_state: Status
    truncated: bool | None = None
    content_lines: int | None = None
    content_bytes: int | None = None
    offset: int | None = None
    next_offset: int | None = None
    note: str | None = None


class BadNodeId(Answer):
    """`node_id` was no text: never to be taken for an absent record."""

    ok: Literal[False]
    error: Literal["node_id_not_str"]
    got_type: str


class ListAnswer(Answer):
    """Records, best first."""

    meta: SearchMeta
    results: list[Record]


class Packed(Answer):
    """One record in a pack, and how many tokens it takes there."""

    id: UUID
    path: str
    content: str
    verification_state: Status
    tokens: int


class Skipped(Answer):
    """A record that did not get in, how large it is, and why."""

    id: UUID
    tokens: int
    reason: Literal["larger_than_budget", "budget_used_up", "same_content"]


class Recent(Answer):
    """One of the newest records."""

    id: UUID
    path: str
    preview: str
    verification_state: Status


class PackMeta(Answer):
    """How the pack was made."""

    count: int
    considered: int
    tokenizer: str
    semantic: Literal["complete", "unavailable"] | int


class Pack(Answer):
    """The best records that fit: `tokens_used` never exceeds `budget`."""

    pack: list[Packed]
    tokens_used: int
    budget: int
    skipped: list[Skipped]
    recent: list[Recent]
    meta: PackMeta


class Suggestion(Answer):
    """A capability that may fit."""

    name: str
    kind: Literal["verb", "operation", "capability"]
    reason: str
    score: float


class RouteAnswer(Answer):
    """What is known, and which capability to use. Nothing was executed."""

    knowledge: list[Record]
    meta: SearchMeta
    suggested_capabilities: list[Suggestion] | None = None
    note: str | None = None
