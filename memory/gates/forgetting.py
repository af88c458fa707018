"""The forgetting gate, only if asked for: is a write a duplicate, does it matter, is it news?"""

import math
from dataclasses import dataclass, replace
from uuid import UUID

from django.db.models import F, FloatField
from django.db.models.expressions import RawSQL

from memory.drafts import Draft, Stop
from memory.models import Record
from memory.models.record import RecordQuerySet
from memory.policies import verdict
from memory.proposals import QUEUE, held
from memory.protocol.shapes import Gated, Verdict
from memory.protocol.vocabulary import VerdictState
from memory.search.words import question, words_of
from memory.versions import content_digest
from orgs.names import canonical

NEIGHBOURS = 10
MATTERS_FROM = 0.15
WORDS_FROM = 2
NOTHING_KNOWN = -math.log2(0.001)
KNOWN_BITS = 0.1  # less news than this: what it says is known
DOUBTFUL_BITS = 0.35  # less than this: a person had better look


@dataclass(frozen=True, slots=True)
class Known:
    """How much of a text a record says already: the share of its words, and those that are news."""

    id: UUID
    share: float
    news: set[str]


def forgetting(draft: Draft) -> Draft | Stop:
    """Decide whether it is worth keeping: ACCEPT, MERGE into what says the same, DROP, or DEFER to a person."""
    if not draft.inputs.gated:
        return draft
    nearby = _nearby(draft)
    if twin := nearby.filter(content_digest=content_digest(draft.inputs.content)).first():
        return _merged(draft, twin.id, _said(VerdictState.REJECT, "MERGE", "duplicate", [str(twin.id)]))
    own = _words(draft.inputs.content)
    importance = draft.inputs.importance
    if (importance is not None and importance < MATTERS_FROM) or len(own) < WORDS_FROM:
        return _stopped(draft, _said(VerdictState.REJECT, "DROP", "matters", [len(own)]), moved_to="dropped")
    return _by_surprise(draft, _best_known(own, nearby, draft.inputs.content))


def _by_surprise(draft: Draft, nearest: Known | None) -> Draft | Stop:
    """Judge by how much of it is news. What differs in a figure, or contradicts a version, is never merged away."""
    bits = 0.0 - math.log2(max(nearest.share, 0.001)) if nearest else NOTHING_KNOWN
    evidence: list[str | float] = [str(nearest.id), round(bits, 3)] if nearest else [round(bits, 3)]
    if nearest is None or bits >= DOUBTFUL_BITS:
        return replace(draft, gate="gated", verdict=_said(VerdictState.ACCEPT, "ACCEPT", "surprise", evidence[-1:]))
    contradicts = draft.consistency is not None and bool(draft.consistency.conflicts)
    if bits < KNOWN_BITS and not contradicts and not any(map(_tells_apart, nearest.news)):
        return _merged(draft, nearest.id, _said(VerdictState.REJECT, "MERGE", "surprise", evidence))
    return held(draft, _said(VerdictState.DEFER, "DEFER", "surprise", evidence), moved_to=QUEUE)


def _tells_apart(word: str) -> bool:
    """Say whether a single word makes another fact of a text: a port, a version, a date."""
    return any(map(str.isdigit, word))


def _nearby(draft: Draft) -> RecordQuerySet:
    """Return the live records of the workspace that the caller sees: what is known there."""
    live = Record.objects.visible_to(draft.caller).current_for(draft.caller)
    return live.filter(project_id=draft.caller.writes_in).in_workspace(canonical(draft.inputs.workspace))


def _words(text: str) -> set[str]:
    return {word for word, step in words_of(text[:20_000]) if step}


def _best_known(own: set[str], nearby: RecordQuerySet, content: str) -> Known | None:
    """Return the record that knows most of these words."""
    asked = question(content[:2_000]).tsquery
    if not asked:
        return None
    rank = RawSQL("ts_rank(memory_record.words, %s::tsquery)", [asked], output_field=FloatField())
    near = nearby.alias(rank=rank).filter(rank__gt=0).order_by(F("rank").desc(), "-id")
    rows = near.values_list("id", "content")[:NEIGHBOURS]
    known = [Known(id, len(own & words) / len(own), own - words) for id, words in ((id, _words(t)) for id, t in rows)]
    return max(known, key=lambda one: one.share, default=None)


def _said(state: VerdictState, kind: str, asked: str, evidence: list[str | float]) -> Verdict:
    details = {
        "ACCEPT": "It says something that is not known yet.",
        "MERGE": "A record says this already.",
        "DROP": "It says too little to matter.",
        "DEFER": "Most of it is known already.",
    }
    return verdict(state, kind=kind, basis=asked, evidence=evidence, detail=details[kind])


def _merged(draft: Draft, into: UUID, judged: Verdict) -> Stop:
    return _stopped(draft, judged, moved_to=f"merged_into:{into}")


def _stopped(draft: Draft, judged: Verdict, *, moved_to: str) -> Stop:
    told = {"consistency": draft.consistency} if draft.consistency else {}
    answer = Gated(ok=True, id=None, committed=False, gate="gated", verdict=judged, moved_to=moved_to, **told)
    return Stop("gate_gated", answer)
