"""What the database says about each record for one question. Three statements, all of them over the caller's records.

Every statement is built around the queryset it is given, which began at the caller's lens and holds every filter, so
that what is ranked, counted and cut off is always what the caller may see. Rarity is counted among those records too:
a number over all records would tell of hidden ones.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.core.exceptions import EmptyResultSet
from django.db import connection

from memory.models.record import RecordQuerySet
from memory.search.embeddings import Vector
from memory.search.ranking import BRIEF, FEWEST, REPEATS, USUAL_LENGTH, Match
from memory.search.words import Question

BY_MEANING = 100  # records, by meaning alone
STEPS = 3  # neighbours on either side

Sql = tuple[str, Sequence[Any]]


@dataclass(frozen=True, slots=True)
class Names:
    """What a question would be if it were a record's name."""

    id: UUID | None
    fact_key: str
    source_id: str


@dataclass(frozen=True, slots=True)
class Found:
    """The records that have any of the words: the best of them, and how many have each unit."""

    matches: dict[UUID, Match]
    spread: Sequence[int]
    matching: int


def by_words(records: RecordQuerySet, question: Question, names: Names, *, most: int) -> Found:
    """Return the records that the question names, and the `most` with its rarest words. One statement."""
    seen = _compiled(records, "id", "words", "fact_key", "source_id")
    if seen is None:
        return Found({}, (), 0)
    units, asked = _units(question)
    count = len(question.units)
    having = [f"count(*) FILTER (WHERE units & {1 << place} > 0)" for place in range(count)]
    rarity = [
        f"ln(1 + (greatest(2 * count(*), {FEWEST}) - {one} + 0.5)::float8 / ({one} + 0.5)::float8)" for one in having
    ]
    score = " + ".join(f"((units >> {place}) & 1) * rarity[{place + 1}]" for place in range(count))
    rows = _rows(
        f"""
        WITH named AS (
            SELECT id, words, coalesce(id = %s OR fact_key = %s OR source_id = %s, false) AS named FROM ({seen[0]}) seen
        ), matching AS MATERIALIZED (
            SELECT id, named, {units} AS units, length(words) AS words FROM named WHERE named OR words @@ %s::tsquery
        ), spread AS (
            SELECT count(*) AS matching, ARRAY[{", ".join(having)}]::bigint[] AS having,
                ARRAY[{", ".join(rarity)}]::float8[] AS rarity
            FROM matching
        )
        SELECT id, units, words, named, spread.matching, spread.having FROM matching, spread
        ORDER BY named DESC, ({score or "0"}) / (1 + {REPEATS} * (1 - {BRIEF} + {BRIEF} * words / {USUAL_LENGTH})::float8) DESC,
            id DESC
        LIMIT %s
        """,
        [names.id, names.fact_key, names.source_id, *seen[1], *asked, question.tsquery, most],
    )
    matching, spread = rows[0][4:] if rows else (0, (0,) * count)
    return Found({id: Match(units, words, None, named) for id, units, words, named, *_ in rows}, spread, matching)


def by_meaning(records: RecordQuerySet, vector: Vector, *, organization_id: UUID, model: str) -> dict[UUID, float]:
    """Return the cosines of the records nearest in meaning. One statement, exact: no index cuts any off.

    The ids go in as one array, which reads the vectors in a single pass over their index. A join is planned well only
    as long as the statistics are fresh; with stale ones it was a hundred times slower.
    """
    seen = _compiled(records, "id")
    if seen is None:
        return {}
    rows = _rows(
        f"""
        SELECT record_id, 1 - (vector <=> %s::halfvec) FROM memory_embedding
        WHERE organization_id = %s AND record_id = ANY(ARRAY({seen[0]})) AND model = %s
        ORDER BY vector <=> %s::halfvec, record_id DESC LIMIT {BY_MEANING}
        """,
        [_written(vector), organization_id, *seen[1], model, _written(vector)],
    )
    return dict(rows)


def around(
    records: RecordQuerySet, ids: Sequence[UUID], question: Question, *, vector: Vector | None, model: str
) -> tuple[dict[UUID, Match], list[list[UUID]]]:
    """Return what was said around these records, in rows, with all that is known of it. One statement."""
    seen = _compiled(records, "id", "organization_id", "project_id", "workspace_id", "session", "observed_at", "words")
    if seen is None or not ids:
        return {}, []
    units, asked = _units(question)
    cosine = "1 - (e.vector <=> %s::halfvec)" if vector else "NULL::float8"
    beside = " UNION ALL ".join(_side(seen[0], sign, comparison) for sign, comparison in ((-1, "<"), (1, ">")))
    rows = _rows(
        f"""
        WITH centre AS MATERIALIZED (
            SELECT id, organization_id, project_id, workspace_id, session, observed_at, words FROM ({seen[0]}) seen
            WHERE id = ANY(%s)
        ), stood AS (
            SELECT id AS centre, 0 AS step, id, organization_id, words FROM centre
            UNION ALL
            SELECT centre.id, beside.step, beside.id, centre.organization_id, beside.words
            FROM centre CROSS JOIN LATERAL ({beside}) beside WHERE centre.session IS NOT NULL
        )
        SELECT stood.centre, stood.step, stood.id, {units}, length(words), {cosine} FROM stood
        LEFT JOIN memory_embedding e
            ON e.record_id = stood.id AND e.organization_id = stood.organization_id AND e.model = %s
        ORDER BY stood.centre, stood.step
        """,
        [*seen[1], list(ids), *seen[1], *seen[1], *asked, *([_written(vector)] if vector else []), model],
    )
    matches = {id: Match(units, words, cosine) for _, _, id, units, words, cosine in rows}
    standing: dict[UUID, list[UUID]] = {}
    for centre, _, id, *_ in rows:
        standing.setdefault(centre, []).append(id)
    return matches, [row for row in standing.values() if len(row) > 1]


def _side(seen: str, sign: int, comparison: str) -> str:
    order = "DESC" if sign < 0 else "ASC"
    return f"""
        (SELECT id, words, {sign} * row_number() OVER (ORDER BY observed_at {order}, id {order}) AS step
         FROM ({seen}) seen
         WHERE project_id = centre.project_id AND workspace_id = centre.workspace_id AND session = centre.session
           AND (observed_at, id) {comparison} (centre.observed_at, centre.id)
         ORDER BY observed_at {order}, id {order} LIMIT {STEPS})
    """


def _compiled(records: RecordQuerySet, *columns: str) -> Sql | None:
    """The queryset as SQL with these columns, or None where it can hold nothing."""
    try:
        sql, parameters = records.order_by().values_list(*columns).query.sql_with_params()
    except EmptyResultSet:
        return None
    return sql, parameters


def _units(question: Question) -> Sql:
    """The units that a row of words has, as bits, and what they ask."""
    bits = [f"((words @@ %s::tsquery)::int::bigint << {place})" for place in range(len(question.units))]
    return " | ".join(bits) or "0::bigint", [unit.tsquery for unit in question.units]


def _written(vector: Vector) -> str:
    return "[" + ",".join(f"{number:.5g}" for number in vector) + "]"


def _rows(sql: str, parameters: Sequence[Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, list(parameters))
        return cursor.fetchall()
