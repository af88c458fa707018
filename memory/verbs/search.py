"""search: the records that answer a question, best first."""

from collections.abc import Sequence
from datetime import datetime

from memory.effects import Told
from memory.models import Record
from memory.protocol import shapes
from memory.protocol.vocabulary import Status
from memory.search import paging
from memory.search.retrieve import DEEPEST, Hit, Retrieved, ask, retrieve
from memory.showing import show
from memory.standing import look
from memory.verbs.validate_memory import source_now
from orgs.caller import Caller
from orgs.tenancy import acting_for


def execute(caller: Caller, inputs: shapes.SearchInputs, *, now: datetime) -> Told:
    """Find by words and by meaning; statuses are the caller's, computed now."""
    asked = ask(inputs.query)
    wanted = inputs.model_dump_json(exclude={"cursor", "limit", "explain"})
    place = paging.read_cursor(inputs.cursor, asked=wanted) if inputs.cursor else None
    most = DEEPEST if place or inputs.status or inputs.exclude_stale else 4 * inputs.limit
    with acting_for(caller.organization_id):
        found = retrieve(caller, asked, inputs, most=most, written_until=place.begun_at if place else None)
        hits = _standing_right(found, caller, inputs, now=now)
        start = paging.rest_after(place, [hit.id for hit in hits]) if place else 0
        page = hits[start : start + inputs.limit]
        results = _shown(page, caller, inputs, now=now)
    cursor = None
    if page and len(hits) > start + len(page):
        reached = paging.Place(place.begun_at if place else now, page[-1].id, start + len(page))
        cursor = paging.next_cursor(reached, asked=wanted)
    meta = shapes.SearchMeta(count=len(results), limit=inputs.limit, next_cursor=cursor, semantic=found.semantic)
    return "list", shapes.SearchAnswer(results=results, meta=meta)


def _standing_right(found: Retrieved, caller: Caller, inputs: shapes.SearchInputs, *, now: datetime) -> Sequence[Hit]:
    """Keep the hits whose status is asked for: all of them are judged, so that no page comes out short."""
    if not inputs.status and not inputs.exclude_stale:
        return found.hits
    ids = [hit.id for hit in found.hits]
    seen = look(ids, caller, now=now, source_now=source_now(inputs.current_source_hash))
    statuses = {id: one.standing.status for id, one in seen.items()}
    right = [hit for hit in found.hits if inputs.status in (None, statuses[hit.id])]
    return [hit for hit in right if not (inputs.exclude_stale and statuses[hit.id] is Status.STALE)]


def _shown(page: Sequence[Hit], caller: Caller, inputs: shapes.SearchInputs, *, now: datetime) -> list[shapes.Record]:
    ids = [hit.id for hit in page]
    loaded = Record.objects.visible_to(caller).with_ids(ids).defer("words").select_related("workspace").in_bulk()
    return show(
        [loaded[id] for id in ids if id in loaded],
        caller,
        now=now,
        source_now=source_now(inputs.current_source_hash),
        scores={hit.id: round(hit.score.total, 4) for hit in page},
        explanations={hit.id: _why(hit) for hit in page} if inputs.explain else None,
    )


def _why(hit: Hit) -> shapes.Explanation:
    """Say what put a result where it is."""
    reasons = {
        "named": hit.named,
        "said_beside": hit.score.words > hit.score.own_words + 0.0005,
        "newest_version": hit.newer_first,
        "rule": hit.score.ruled,
    }
    similarity = None if hit.score.cosine is None else round(hit.score.cosine, 4)
    return shapes.Explanation(
        lexical_rank=hit.lexical_rank,
        semantic_rank=hit.semantic_rank,
        similarity=similarity,
        boosts=[name for name, holds in reasons.items() if holds],
    )
