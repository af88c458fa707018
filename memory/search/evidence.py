"""What the database says about each record for one question, in a fixed number of statements.

Every statement is built around one queryset, which began at the caller's lens and holds every filter, so that what is
ranked, counted and cut off is always what the caller may see. Rarity is counted among those records too: a number
over all records would tell of hidden ones. The queryset is turned into SQL once; SQL is put together from it and from
bits of our own, and every value is a parameter (so S608 is silenced here).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Self
from uuid import UUID

from django.core.exceptions import EmptyResultSet
from django.db import connection

from memory.models.record import RecordQuerySet
from memory.search.embeddings import Vector
from memory.search.ranking import BRIEF, FEWEST, REPEATS, USUAL_LENGTH, Match
from memory.search.words import Question

STEPS = 3  # neighbours on either side
BEGINNING = 120  # characters, enough to tell the script
_COLUMNS = (
    *(
        "id",
        "organization_id",
        "project_id",
        "workspace_id",
        "session",
        "observed_at",
        "words",
        "fact_key",
        "source_id",
    ),
    *("created_at", "confidence", "importance", "content"),
)

Sql = tuple[str, Sequence[Any]]
Rows = list[tuple[Any, ...]]


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


@dataclass(frozen=True, slots=True)
class Details:
    """What breaks ties and groups versions, and how the text begins."""

    workspace_id: UUID
    fact_key: str | None
    created_at: datetime
    confidence: float
    importance: float | None
    beginning: str

    @property
    def fact(self) -> tuple[UUID, str] | None:
        """Name the fact that it is a version of, if any."""
        return (self.workspace_id, self.fact_key) if self.fact_key else None


@dataclass(frozen=True, slots=True)
class Seen:
    """The records that a question is put to, as SQL."""

    organization_id: UUID
    sql: str
    parameters: Sequence[Any]

    @classmethod
    def through(cls, records: RecordQuerySet, *, organization_id: UUID) -> Self | None:
        """Take the records of this queryset, or None where it can hold nothing."""
        try:
            sql, parameters = records.order_by().values_list(*_COLUMNS).query.sql_with_params()
        except EmptyResultSet:
            return None
        return cls(organization_id, f"({sql}) seen", parameters)

    def by_words(self, question: Question, names: Names, *, most: int) -> Found:
        """Return the records that the question names, and the `most` with its rarest words. One statement."""
        units, asked = _units(question)
        count = len(question.units)
        having = [f"count(*) FILTER (WHERE units & {1 << place} > 0)" for place in range(count)]
        rarity = [
            f"ln(1 + (greatest(2 * count(*), {FEWEST}) - {one} + 0.5)::float8 / ({one} + 0.5)::float8)"
            for one in having
        ]
        score = " + ".join(f"((units >> {place}) & 1) * rarity[{place + 1}]" for place in range(count)) or "0"
        rows = _rows(
            f"""
            WITH named AS (
                SELECT id, words, coalesce(id = %s OR fact_key = %s OR source_id = %s, false) AS named FROM {self.sql}
            ), matching AS MATERIALIZED (
                SELECT id, named, {units} AS units, length(words) AS words FROM named
                WHERE named OR words @@ %s::tsquery
            ), spread AS (
                SELECT count(*) AS matching, ARRAY[{", ".join(having)}]::bigint[] AS having,
                    ARRAY[{", ".join(rarity)}]::float8[] AS rarity
                FROM matching
            )
            SELECT id, units, words, named, spread.matching, spread.having FROM matching, spread
            ORDER BY named DESC,
                ({score}) / (1 + {REPEATS} * (1 - {BRIEF} + {BRIEF} * words / {USUAL_LENGTH})::float8) DESC, id DESC
            LIMIT %s
            """,  # noqa: S608
            [names.id, names.fact_key, names.source_id, *self.parameters, *asked, question.tsquery, most],
        )
        matching, spread = rows[0][4:] if rows else (0, (0,) * count)
        return Found({id: Match(units, words, None, named) for id, units, words, named, *_ in rows}, spread, matching)

    def by_meaning(self, vector: Vector, *, model: str, most: int) -> dict[UUID, float]:
        """Return the cosines of the `most` records nearest in meaning. One statement, exact: no index cuts any off.

        The ids go in as one array, which reads the vectors in a single pass over their index. A join is planned well
        only as long as the statistics are fresh; with stale ones it was a hundred times slower.
        """
        rows = _rows(
            f"""
            SELECT record_id, 1 - (vector <=> %s::halfvec) FROM memory_embedding
            WHERE organization_id = %s AND record_id = ANY(ARRAY(SELECT id FROM {self.sql})) AND model = %s
            ORDER BY vector <=> %s::halfvec, record_id DESC LIMIT %s
            """,  # noqa: S608
            [_written(vector), self.organization_id, *self.parameters, model, _written(vector), most],
        )
        return dict(rows)

    def around(
        self, ids: Sequence[UUID], question: Question, *, vector: Vector | None, model: str
    ) -> tuple[dict[UUID, Match], list[list[UUID]]]:
        """Return what was said around these records, in rows, with all that is known of it. One statement."""
        units, asked = _units(question)
        cosine = "1 - (e.vector <=> %s::halfvec)" if vector else "NULL::float8"
        rows = _rows(
            f"""
            WITH centre AS MATERIALIZED (SELECT * FROM {self.sql} WHERE id = ANY(%s)),
            stood AS (
                SELECT id AS centre, 0 AS step, id, words FROM centre
                UNION ALL
                SELECT centre.id, beside.step, beside.id, beside.words
                FROM centre CROSS JOIN LATERAL ({self._side("<")} UNION ALL {self._side(">")}) beside
                WHERE centre.session IS NOT NULL
            )
            SELECT stood.centre, stood.id, {units}, length(words), {cosine} FROM stood
            LEFT JOIN memory_embedding e ON e.record_id = stood.id AND e.organization_id = %s AND e.model = %s
            ORDER BY stood.centre, stood.step
            """,  # noqa: S608
            [
                *(*self.parameters, list(ids), *self.parameters, *self.parameters, *asked),
                *([_written(vector)] if vector else []),
                *(self.organization_id, model),
            ],
        )
        standing: dict[UUID, list[UUID]] = {}
        for centre, id, *_ in rows:
            standing.setdefault(centre, []).append(id)
        matches = {id: Match(units, words, cosine) for _, id, units, words, cosine in rows}
        return matches, [row for row in standing.values() if len(row) > 1]

    def _side(self, comparison: str) -> str:
        sign, order = (-1, "DESC") if comparison == "<" else (1, "ASC")
        return f"""
            (SELECT id, words, {sign} * row_number() OVER (ORDER BY observed_at {order}, id {order}) AS step
             FROM {self.sql}
             WHERE project_id = centre.project_id AND workspace_id = centre.workspace_id AND session = centre.session
               AND (observed_at, id) {comparison} (centre.observed_at, centre.id)
             ORDER BY observed_at {order}, id {order} LIMIT {STEPS})
        """  # noqa: S608

    def details(self, ids: Iterable[UUID]) -> dict[UUID, Details]:
        """Return the details of these records, as far as they are seen. One statement."""
        columns = f"id, workspace_id, fact_key, created_at, confidence, importance, left(content, {BEGINNING})"
        rows = _rows(f"SELECT {columns} FROM {self.sql} WHERE id = ANY(%s)", [*self.parameters, list(ids)])  # noqa: S608
        return {id: Details(*rest) for id, *rest in rows}

    def unembedded(self, *, most: int) -> int:
        """Count the records whose vector is still promised, up to `most`. One statement."""
        rows = _rows(
            f"""
            SELECT count(*) FROM (
                SELECT FROM memory_errand WHERE organization_id = %s AND kind = 'embed'
                    AND EXISTS (SELECT FROM {self.sql} WHERE seen.id = record_id)
                LIMIT %s
            ) promised
            """,  # noqa: S608
            [self.organization_id, *self.parameters, most],
        )
        return int(rows[0][0])


def _units(question: Question) -> Sql:
    """The units that a row of words has, as bits, and what they ask."""
    bits = [f"((words @@ %s::tsquery)::int::bigint << {place})" for place in range(len(question.units))]
    return " | ".join(bits) or "0::bigint", [unit.tsquery for unit in question.units]


def _written(vector: Vector) -> str:
    return "[" + ",".join(f"{number:.5g}" for number in vector) + "]"


def _rows(sql: str, parameters: Sequence[Any]) -> Rows:
    with connection.cursor() as cursor:
        cursor.execute(sql, list(parameters))
        return list(cursor.fetchall())
