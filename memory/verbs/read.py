"""read: one record as a node, or null; or a list; or a pack that fits a budget of tokens."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from memory.filters import narrowed
from memory.models import Record
from memory.nodes import frontmatter_of, path_of
from memory.packing import Piece, fill
from memory.protocol import shapes
from memory.search import tokens
from memory.search.retrieve import ask, retrieve
from memory.showing import show
from memory.standing import PREVIEW, look
from memory.verbs import search
from memory.verbs.answering import Told
from orgs.caller import Caller
from orgs.errors import Invalid
from orgs.tenancy import acting_for

PIECE = 20_000  # characters of a node in one answer
CONSIDERED = 200  # records of which a pack is made
RECENT = 10


def execute(caller: Caller, inputs: shapes.ReadInputs, *, now: datetime) -> Told:
    """Read what was named, or asked for, or fits."""
    if (inputs.validity == "as_of") != (inputs.as_of is not None):
        raise Invalid("validity as_of and the time as_of go together.", field="as_of")
    if inputs.node_id:
        return _node(caller, inputs.node_id, offset=inputs.offset, now=now)
    if inputs.budget_tokens:
        return "pack", _pack(caller, inputs, budget=inputs.budget_tokens, now=now)
    answer = search.execute(caller, _as_search(inputs), now=now)[1]
    if not isinstance(answer, shapes.SearchAnswer):
        raise TypeError("search answers a list")
    return "list", shapes.ListAnswer(results=answer.results, meta=answer.meta)


def asked_of(inputs: shapes.ReadInputs | shapes.RouteInputs) -> str:
    """Return the question of a call: what is asked or intended, and what is said around it."""
    parts = [inputs.query or inputs.intent, getattr(inputs, "goal", None), inputs.context]
    return "\n".join(part for part in parts if part)[:2_000]


def _as_search(inputs: shapes.ReadInputs) -> shapes.SearchInputs:
    filters = _filters(inputs).model_dump(exclude_unset=True)
    return shapes.SearchInputs(query=asked_of(inputs), limit=inputs.limit or inputs.k, **filters)


def _filters(inputs: shapes.ReadInputs) -> shapes.Filters:
    named: dict[str, Any] = {"workspace": inputs.branch, "session": inputs.session, "layer": inputs.layer}
    when: dict[str, Any] = {
        "known_at": inputs.as_of,
        "valid_at": inputs.as_of,
        "include_superseded": True if inputs.validity == "all" else None,
    }
    return shapes.Filters(**{name: value for name, value in {**named, **when}.items() if value is not None})


def _node(caller: Caller, id: UUID, *, offset: int, now: datetime) -> Told:
    with acting_for(caller.organization_id):
        visible = Record.objects.visible_to(caller).with_ids([id])
        record = visible.select_related("workspace", "project").first()
        if record is None:
            return "node_missing", None
        shown = show([record], caller, now=now)[0]
    piece = record.content[offset : offset + PIECE]
    end = offset + len(piece)
    more = {"truncated": True, "next_offset": end} if end < len(record.content) else {"truncated": False}
    return "node", shapes.Node(
        id=record.id,
        path=path_of(record),
        frontmatter=frontmatter_of(shown),
        content=piece,
        verification_state=shown.status,
        content_lines=record.content.count("\n") + 1,
        content_bytes=len(record.content.encode()),
        offset=offset,
        **more,
    )


def _pack(caller: Caller, inputs: shapes.ReadInputs, *, budget: int, now: datetime) -> shapes.Pack:
    question = asked_of(inputs)
    asked = ask(question) if question else None
    filters = _filters(inputs)
    with acting_for(caller.organization_id):
        found = retrieve(caller, asked, filters, most=CONSIDERED) if asked else None
        ids = [hit.id for hit in found.hits[:CONSIDERED]] if found else _newest(caller, filters, most=CONSIDERED)
        records = _loaded(caller, ids)
        filled = fill(map(_piece, records), budget=budget, count=tokens.count)
        recent = _loaded(caller, _newest(caller, filters, most=RECENT)) if inputs.include_recent else []
        seen = look([*(one.piece.id for one in filled.taken), *(r.id for r in recent)], caller, now=now)
    by_id = {record.id: record for record in records}
    return shapes.Pack(
        pack=[
            shapes.Packed(
                id=one.piece.id,
                path=path_of(by_id[one.piece.id]),
                content=by_id[one.piece.id].content,
                verification_state=seen[one.piece.id].standing.status,
                tokens=one.tokens,
            )
            for one in filled.taken
        ],
        tokens_used=filled.used,
        budget=budget,
        skipped=[shapes.Skipped(id=one.id, tokens=one.tokens, reason=one.why) for one in filled.left],
        recent=[
            shapes.Recent(
                id=record.id,
                path=path_of(record),
                preview=record.content[:PREVIEW],
                verification_state=seen[record.id].standing.status,
            )
            for record in recent
        ],
        meta=shapes.PackMeta(
            count=len(filled.taken),
            considered=len(records),
            tokenizer=tokens.TOKENIZER,
            semantic=found.semantic if found else "complete",
        ),
    )


def _piece(record: Record) -> Piece:
    return Piece(record.id, f"{path_of(record)}\n{record.content}\n", record.content_digest)


def _newest(caller: Caller, filters: shapes.Filters, *, most: int) -> list[UUID]:
    records = narrowed(Record.objects.visible_to(caller), caller, filters)
    return list(records.order_by("-created_at", "-id").values_list("id", flat=True)[:most])


def _loaded(caller: Caller, ids: Sequence[UUID]) -> list[Record]:
    """Return the records in the order of the ids."""
    visible = Record.objects.visible_to(caller).with_ids(ids)
    by_id = visible.defer("words").select_related("workspace", "project").in_bulk()
    return [by_id[id] for id in ids if id in by_id]
