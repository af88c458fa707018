"""read: one record as a node, or null; or a list; or a pack that fits a budget of tokens."""

from datetime import datetime
from typing import Any
from uuid import UUID

from memory.effects import Told
from memory.models import Record
from memory.nodes import frontmatter_of, path_of
from memory.protocol import shapes
from memory.showing import show
from memory.verbs import search
from memory.verbs.packs import pack
from orgs.caller import Caller
from orgs.errors import Invalid
from orgs.tenancy import acting_for

PIECE = 20_000  # characters of a node in one answer


def execute(caller: Caller, inputs: shapes.ReadInputs, *, now: datetime) -> Told:
    """Read what was named, or asked for, or fits."""
    if (inputs.validity == "as_of") != (inputs.as_of is not None):
        raise Invalid("validity as_of and the time as_of go together.", field="as_of")
    if inputs.node_id:
        return _node(caller, inputs.node_id, offset=inputs.offset, now=now)
    if inputs.budget_tokens:
        recent = bool(inputs.include_recent)
        filters = _filters(inputs)
        return "pack", pack(
            caller, asked_of(inputs), filters, budget=inputs.budget_tokens, include_recent=recent, now=now
        )
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
