"""The pack of `read`: the best records that fit a budget of tokens. No content is fetched that does not get in."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from django.db.models.functions import Left as FirstCharacters

from memory.filters import narrowed
from memory.models import Record
from memory.models.record import RecordQuerySet
from memory.nodes import path_of
from memory.packing import Filled, Piece, fill
from memory.protocol import shapes
from memory.search import tokens
from memory.search.retrieve import ask, retrieve
from memory.standing import PREVIEW, look
from orgs.caller import Caller
from orgs.tenancy import acting_for

CONSIDERED = 200  # records of which a pack is made
RECENT = 10


def pack(
    caller: Caller, question: str, filters: shapes.Filters, *, budget: int, include_recent: bool, now: datetime
) -> shapes.Pack:
    """Pack the best answers to the question, or the newest records where there is none."""
    asked = ask(question) if question else None
    with acting_for(caller.organization_id):
        found = retrieve(caller, asked, filters, most=CONSIDERED) if asked else None
        ids = [hit.id for hit in found.hits[:CONSIDERED]] if found else _newest(caller, filters, most=CONSIDERED)
        records = _in_order(ids, _heads(caller, ids))
        filled, contents = _with_contents(caller, fill(map(_piece, records), budget=budget))
        recent = _recent(caller, filters) if include_recent else []
        seen = look([*contents, *(record.id for record, _ in recent)], caller, now=now)
    paths = {record.id: path_of(record) for record in records}
    return shapes.Pack(
        pack=[
            shapes.Packed(
                id=piece.id,
                path=paths[piece.id],
                content=contents[piece.id],
                verification_state=seen[piece.id].standing.status,
                tokens=piece.tokens,
            )
            for piece in filled.taken
        ],
        tokens_used=filled.used,
        budget=budget,
        skipped=[shapes.Skipped(id=one.id, tokens=one.tokens, reason=one.why) for one in filled.left],
        recent=[
            shapes.Recent(
                id=record.id,
                path=path_of(record),
                preview=preview,
                verification_state=seen[record.id].standing.status,
            )
            for record, preview in recent
        ],
        meta=shapes.PackMeta(
            count=len(filled.taken),
            considered=len(records),
            tokenizer=tokens.TOKENIZER,
            semantic=found.semantic if found else "complete",
        ),
    )


def _piece(record: Record) -> Piece:
    """Size a record as it would be packed: its path, and its content below."""
    below = tokens.count_below(_content_of(record)) if record.tokens is None else record.tokens
    return Piece(record.id, tokens.count(path_of(record)) + below, record.content_digest)


def _content_of(record: Record) -> str:
    """Fetch one content for a moment: of a record that was stored before sizes were."""
    mine = Record.objects.in_organization(record.organization_id).with_ids([record.id])
    return mine.values_list("content", flat=True).first() or ""


def _with_contents(caller: Caller, filled: Filled) -> tuple[Filled, dict[UUID, str]]:
    """Fetch what got in. What somebody changed or forgot since it was sized is left out without a word."""
    digests = {piece.id: piece.digest for piece in filled.taken}
    rows = Record.objects.visible_to(caller).with_ids(digests).values_list("id", "content", "content_digest")
    contents = {id: content for id, content, digest in rows if digests[id] == digest}
    taken = [piece for piece in filled.taken if piece.id in contents]
    return replace(filled, taken=taken, used=sum(piece.tokens for piece in taken)), contents


def _newest(caller: Caller, filters: shapes.Filters, *, most: int) -> list[UUID]:
    records = narrowed(Record.objects.visible_to(caller), caller, filters)
    return list(records.order_by("-created_at", "-id").values_list("id", flat=True)[:most])


def _heads(caller: Caller, ids: Sequence[UUID]) -> RecordQuerySet:
    """Select the records of these ids without their texts."""
    heads = Record.objects.visible_to(caller).with_ids(ids).defer("words", "content")
    return heads.select_related("workspace", "project")


def _recent(caller: Caller, filters: shapes.Filters) -> list[tuple[Record, str]]:
    """Return the newest records, each with the beginning of its content."""
    ids = _newest(caller, filters, most=RECENT)
    heads = _in_order(ids, _heads(caller, ids).annotate(preview=FirstCharacters("content", PREVIEW)))
    return [(record, getattr(record, "preview", "")) for record in heads]


def _in_order(ids: Sequence[UUID], records: RecordQuerySet) -> list[Record]:
    by_id = records.in_bulk()
    return [by_id[id] for id in ids if id in by_id]
