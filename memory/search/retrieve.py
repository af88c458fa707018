"""The one path from a question to records: search, read, route and the neighbours of a new record all take it.

It starts at the caller's lens and cannot be called without a caller. The question is turned into words and a vector
before any transaction (`ask`); everything else is a fixed number of statements inside one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal
from uuid import UUID

from django.conf import settings

from memory.filters import narrowed, narrows
from memory.models import Record
from memory.protocol.shapes import Filters
from memory.search.embeddings import Vector, embed_question
from memory.search.evidence import Details, Found, Meaning, Names, Seen
from memory.search.ranking import ANSWERS, Evidence, Match, Score, scores
from memory.search.scripts import Script, script_of
from memory.search.words import Question, question
from orgs.caller import Caller
from orgs.names import canonical

DEEPEST = 2_000  # records that one ranking holds at most
NEAREST = 100  # records that are looked at for their meaning at least
CENTRES = 20  # records whose surroundings are looked at
UNEMBEDDED_AT_MOST = 1_000  # counted
OTHER_SCRIPT = 0.12  # cosines of a question and an answer in different scripts are lower by this much

Semantic = Literal["complete", "unavailable"] | int


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, ready to be looked up: its words, and its vector unless there is none now."""

    text: str
    question: Question
    vector: Vector | None


@dataclass(frozen=True, slots=True)
class Hit:
    """One record that answers. Ranks start at 1 and are None where that side had nothing to say."""

    id: UUID
    score: Score
    named: bool
    lexical_rank: int | None = None
    semantic_rank: int | None = None
    newer_first: bool = False


@dataclass(frozen=True, slots=True)
class Retrieved:
    """The ranking, best first, and whether every record could be found by meaning."""

    hits: Sequence[Hit]
    semantic: Semantic


def ask(text: str) -> Asked:
    """Take a question apart. Call it outside a transaction: it may speak to the embedding endpoint."""
    words = question(text)
    signs_only = words.literal and not any(character.isalnum() for character in text)
    wanted = any(character.isalnum() for character in text) and not signs_only
    return Asked(text, words, embed_question(text) if wanted else None)


def retrieve(
    caller: Caller, asked: Asked, filters: Filters, *, most: int, written_until: datetime | None = None
) -> Retrieved:
    """Rank the records that the caller may see and that pass the filters; `most` is how many will be wanted.

    Runs in the organization's transaction.
    """
    records = narrowed(Record.objects.visible_to(caller), caller, filters)
    if written_until is not None:
        records = records.filter(created_at__lte=written_until)
    few = not caller.every_workspace or narrows(filters)
    projects = None if few else sorted(caller.readable_projects)
    seen = Seen.through(records, organization_id=caller.organization_id, projects=projects)
    if seen is None:
        return Retrieved((), "complete")
    found = _found(seen, asked, most=min(most, DEEPEST))
    scored = scores(_evidence(found, asked))
    script = script_of(asked.text)
    hits = [
        Hit(id, scored[id], found.matches[id].named)
        for id, details in found.details.items()
        if _answers(found.matches[id], scored[id], literal=asked.question.literal)
        or _near(found.matches[id], details, script=script)
    ]
    ranked = _with_ranks(sorted(hits, key=lambda hit: _place(hit, found.details[hit.id])))
    return Retrieved(_versions_together(ranked, found.details), _semantic(seen, asked))


def _found(seen: Seen, asked: Asked, *, most: int) -> Found:
    """Collect all that bears on the question. Where something was said in a session, what was said around it counts."""
    meaning = Meaning(asked.vector, settings.EMBEDDINGS_MODEL, settings.EMBEDDINGS_DIMENSIONS)
    found = seen.by_words(asked.question, _names(asked.text), meaning, most=max(most, 3 * CENTRES))
    if asked.question.literal and found.matches:  # meant to the letter, and there
        return found
    if asked.vector:
        found = _joined(found, seen.by_meaning(asked.question, meaning, most=max(most, NEAREST)))
    if all(details.session is None for details in found.details.values()):
        return found
    first = scores(_evidence(found, asked))
    centres = sorted(first, key=lambda id: (-first[id].total, id))[:CENTRES]
    return _joined(found, seen.around(centres, asked.question, meaning))


def _joined(found: Found, more: Found) -> Found:
    """Add records that aren't there yet; each is known wholly wherever it was found."""
    return replace(found, matches=more.matches | found.matches, details=more.details | found.details, rows=more.rows)


def _evidence(found: Found, asked: Asked) -> Evidence:
    return Evidence(found.matches, found.spread, found.matching, found.rows, asked.question.rule)


def _names(text: str) -> Names:
    try:
        id = UUID(text.strip())
    except ValueError:
        id = None
    return Names(id=id, fact_key=canonical(text), source_id=text.strip())


def _answers(match: Match, score: Score, *, literal: bool) -> bool:
    """A record answers if it has enough of the question; if its meaning is not known, any word of it will do."""
    if match.named or (literal and score.own_words):
        return True
    return not literal and (score.total >= ANSWERS or (match.cosine is None and score.own_words > 0))


def _near(match: Match, details: Details, *, script: Script) -> bool:
    """A record also answers by its meaning alone if that is near enough."""
    cosine, floor = match.cosine or 0.0, settings.EMBEDDINGS_FLOOR_PERCENT / 100
    if cosine < floor - OTHER_SCRIPT:
        return False
    return cosine >= floor or script is not script_of(details.beginning)


def _place(hit: Hit, details: Details) -> tuple[object, ...]:
    """Relevance decides; of equals the newer, the surer, the weightier comes first, and the id settles the rest."""
    return (
        not hit.named,
        -round(hit.score.total, 3),
        -details.created,
        -details.confidence,
        -(details.importance or 0.0),
        hit.id,
    )


def _with_ranks(hits: Sequence[Hit]) -> list[Hit]:
    by_words = sorted((hit for hit in hits if hit.score.words), key=lambda hit: -hit.score.words)
    by_meaning = sorted(
        (hit for hit in hits if hit.score.cosine is not None), key=lambda hit: -(hit.score.cosine or 0.0)
    )
    lexical = {hit.id: rank for rank, hit in enumerate(by_words, 1)}
    semantic = {hit.id: rank for rank, hit in enumerate(by_meaning, 1)}
    return [Hit(hit.id, hit.score, hit.named, lexical.get(hit.id), semantic.get(hit.id)) for hit in hits]


def _versions_together(hits: Sequence[Hit], details: Mapping[UUID, Details]) -> list[Hit]:
    """Versions of one fact stand together where the best of them stood, the newest first."""
    versions: dict[tuple[UUID, str], list[Hit]] = {}
    for hit in hits:
        if fact := details[hit.id].fact:
            versions.setdefault(fact, []).append(hit)
    order: list[Hit] = []
    for hit in hits:
        fact = details[hit.id].fact
        if fact is None:
            order.append(hit)
            continue
        newest_first = sorted(versions.pop(fact, ()), key=lambda one: (details[one.id].created, one.id), reverse=True)
        best = newest_first and max(newest_first, key=lambda one: one.score.total).id
        order.extend(replace(one, newer_first=place == 0 and one.id != best) for place, one in enumerate(newest_first))
    return order


def _semantic(seen: Seen, asked: Asked) -> Semantic:
    """Whether meaning was asked at all, and how many of the records could not answer by it yet."""
    if asked.vector is None and any(character.isalnum() for character in asked.text):
        return "unavailable"
    return seen.unembedded(most=UNEMBEDDED_AT_MOST) or "complete"
