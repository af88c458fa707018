"""The forgetting gate, only if asked for: is a write a duplicate, does it matter, is it news?"""

import math
from collections.abc import Iterable
from dataclasses import replace
from uuid import UUID

from django.db.models import F, FloatField
from django.db.models.expressions import RawSQL

from memory.drafts import Draft, Stop
from memory.models import Record
from memory.models.record import RecordQuerySet
from memory.policies import verdict
from memory.proposals import held
from memory.protocol.shapes import Gated, Verdict
from memory.protocol.vocabulary import VerdictState
from memory.search.words import question, words_of
from memory.versions import content_digest
from orgs.names import canonical

NEIGHBOURS = 10
MATTERS_FROM = 0.15
WORDS_FROM = 2
KNOWN_BITS = 0.1  # less news than this: what it says is known
DOUBTFUL_BITS = 0.35  # less than this: a person had better look


def forgetting(draft: Draft) -> Draft | Stop:
    """Decide whether it is worth keeping: ACCEPT, MERGE into what says the same, DROP, or DEFER to a person."""
    if not draft.inputs.gated:
        return draft
    nearby = _nearby(draft)
    if twin := nearby.filter(content_digest=content_digest(draft.inputs.content)).first():
        return _merged(draft, twin.id, _said(VerdictState.REJECT, "MERGE", "duplicate", [str(twin.id)]))
    own = _words(draft.inputs.content)
    if (draft.inputs.importance or 1.0) < MATTERS_FROM or len(own) < WORDS_FROM:
        return _stopped(draft, _said(VerdictState.REJECT, "DROP", "matters", [len(own)]), moved_to="dropped")
    nearest, known = _best_known(own, nearby, draft.inputs.content)
    bits = -math.log2(max(known, 0.001))
    if nearest and bits < KNOWN_BITS:
        return _merged(draft, nearest, _said(VerdictState.REJECT, "MERGE", "surprise", [str(nearest), round(bits, 3)]))
    if nearest and bits < DOUBTFUL_BITS:
        judged = _said(VerdictState.DEFER, "DEFER", "surprise", [str(nearest), round(bits, 3)])
        return held(draft, judged, moved_to="review_queue")
    return replace(draft, gate="gated", verdict=_said(VerdictState.ACCEPT, "ACCEPT", "surprise", [round(bits, 3)]))


def _nearby(draft: Draft) -> RecordQuerySet:
    """Return the live records of the workspace that the caller sees: what is known there."""
    live = Record.objects.visible_to(draft.caller).current_for(draft.caller)
    return live.filter(project_id=draft.caller.project_id).in_workspace(canonical(draft.inputs.workspace))


def _words(text: str) -> set[str]:
    return {word for word, step in words_of(text[:20_000]) if step}


def _best_known(own: set[str], nearby: RecordQuerySet, content: str) -> tuple[UUID | None, float]:
    """Return the record that knows most of these words, and the share of them that it knows."""
    asked = question(content[:2_000]).tsquery
    if not asked:
        return None, 0.0
    rank = RawSQL("ts_rank(memory_record.words, %s::tsquery)", [asked], output_field=FloatField())
    near = nearby.alias(rank=rank).filter(rank__gt=0).order_by(F("rank").desc(), "-id")
    shares = _shares(own, near.values_list("id", "content")[:NEIGHBOURS])
    return max(shares, key=lambda known: known[1], default=(None, 0.0))


def _shares(own: set[str], neighbours: Iterable[tuple[UUID, str]]) -> list[tuple[UUID | None, float]]:
    return [(id, len(own & _words(text)) / len(own)) for id, text in neighbours]


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
