"""What the database says about each record for one question, in a fixed number of statements.

Every statement is built around one queryset, which began at the caller's lens and holds every filter, so that what is
ranked, counted and cut off is always what the caller may see. Rarity is counted among those records too: a number
over all records would tell of hidden ones. The queryset is turned into SQL once; SQL is put together from it and from
bits of our own, and every value is a parameter (so S608 is silenced here).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
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
_TOLD = ("id", "workspace_id", "session", "fact_key", "created", "confidence", "importance")
_DETAILS = ", ".join(_TOLD)
_OF_BESIDE = ", ".join(f"beside.{name}" for name in _TOLD)
_OF_A_RECORD = _DETAILS.replace("created", "extract(epoch FROM created_at)::float8 AS created")
_COLUMNS = (
    *("id", "organization_id", "project_id", "workspace_id", "session", "observed_at", "words", "fact_key"),
    *("source_id", "created_at", "confidence", "importance", "content"),
)

Sql = tuple[str, Sequence[Any]]
Rows = list[tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class Names:
    """What a question would be if it were a record's name."""

    id: UUID | None
    fact_key: str
    source_id: str

    @property
    def all(self) -> Sequence[Any]:
        """Return them in the order in which SQL takes them."""
        return self.id, self.fact_key, self.source_id


@dataclass(frozen=True, slots=True)
class Details:
    """What breaks ties and groups versions, and how the text begins where that may matter. `created`: Unix time."""

    workspace_id: UUID
    session: str | None
    fact_key: str | None
    created: float
    confidence: float
    importance: float | None
    beginning: str = ""

    @property
    def fact(self) -> tuple[UUID, str] | None:
        """Name the fact that it is a version of, if any."""
        return (self.workspace_id, self.fact_key) if self.fact_key else None


@dataclass(frozen=True, slots=True)
class Found:
    """Records that may answer, with all that is known of each; and how many have each unit, as far as counted.

    `rows`: ids in the order in which they were said, one row per stretch.
    """

    matches: dict[UUID, Match]
    details: dict[UUID, Details]
    spread: Sequence[int] = ()
    matching: int = 0
    rows: Sequence[Sequence[UUID]] = ()


@dataclass(frozen=True, slots=True)
class Meaning:
    """A question's vector, and the model that made it; none if there is none now."""

    vector: Vector | None
    model: str
    dimensions: int

    @property
    def distance(self) -> str:
        """Return the SQL of how far a vector is from one to be passed, as an index of the model's vectors has it."""
        return f"vector::halfvec({self.dimensions}) <=> %s::halfvec({self.dimensions})"

    @property
    def cosine(self) -> Sql:
        """Return the cosine of a record's vector `e.vector` to the question's, as SQL."""
        return ("1 - (e.vector <=> %s::halfvec)", [_written(self.vector)]) if self.vector else ("NULL::float8", [])


@dataclass(frozen=True, slots=True)
class Seen:
    """The records that a question is put to, as SQL.

    `projects`: where all of them are, if these projects hold little else; None if they may be few among many.
    """

    organization_id: UUID
    projects: Sequence[UUID] | None
    sql: str
    parameters: Sequence[Any]

    @classmethod
    def through(
        cls, records: RecordQuerySet, *, organization_id: UUID, projects: Sequence[UUID] | None = None
    ) -> Self | None:
        """Take the records of this queryset, or None where it can hold nothing."""
        try:
            sql, parameters = records.order_by().values_list(*_COLUMNS).query.sql_with_params()
        except EmptyResultSet:
            return None
        return cls(organization_id, projects, f"({sql}) seen", parameters)

    def by_words(self, question: Question, names: Names, meaning: Meaning, *, most: int) -> Found:
        """Return the records that the question names, and the `most` with its rarest words. One statement.

        A name is made of words, so that whatever the question names has some of them, unless it has none.
        """
        units, asked = _units(question)
        count = len(question.units)
        having = [f"count(*) FILTER (WHERE units & {1 << place} > 0)" for place in range(count)]
        rarity = [
            f"ln(1 + (greatest(2 * count(*), {FEWEST}) - {one} + 0.5)::float8 / ({one} + 0.5)::float8)"
            for one in having
        ]
        sought = len(question.sought)
        score = " + ".join(f"((units >> {place}) & 1) * rarity[{place + 1}]" for place in range(sought)) or "0"
        which, wanted = ("words @@ %s::tsquery", [question.tsquery]) if sought else (_NAMED, names.all)
        if sought and names.id:
            which, wanted = f"{which} OR id = %s", [*wanted, names.id]
        cosine, vector = meaning.cosine
        rows = _rows(
            f"""
            WITH matching AS MATERIALIZED (
                SELECT {_OF_A_RECORD}, {units} AS units, length(words) AS words, {_NAMED} AS named FROM {self.sql}
                WHERE {which}
            ), spread AS MATERIALIZED (
                SELECT count(*) AS matching, ARRAY[{", ".join(having)}]::bigint[] AS counts,
                    ARRAY[{", ".join(rarity)}]::float8[] AS rarity
                FROM matching
            ), weighed AS MATERIALIZED (
                SELECT units, {score} AS weight FROM (SELECT DISTINCT units FROM matching) patterns, spread
            ), best AS (
                SELECT matching.*, spread.matching, spread.counts FROM matching JOIN weighed USING (units), spread
                ORDER BY named DESC,
                    weight / (1 + {REPEATS} * (1 - {BRIEF} + {BRIEF} * words / {USUAL_LENGTH})::float8) DESC, id DESC
                LIMIT %s
            )
            SELECT matching, counts, units, words, {cosine}, named, {_DETAILS} FROM best
            LEFT JOIN LATERAL (
                SELECT vector FROM memory_embedding
                WHERE organization_id = %s AND record_id = best.id AND model = %s
            ) e ON true
            """,  # noqa: S608
            [*asked, *names.all, *self.parameters, *wanted, most, *vector, self.organization_id, meaning.model],
        )
        matching, spread = rows[0][:2] if rows else (0, (0,) * count)
        return _found([row[2:] for row in rows], spread=spread, matching=matching)

    def by_meaning(self, question: Question, meaning: Meaning, *, most: int) -> Found:
        """Return the `most` records nearest in meaning. One statement, two where few of the nearest are seen.

        Where the projects hold little else than these records, the nearest there are looked up in the index of
        vectors and then looked at through the lens. Otherwise, and where that gave too few, their ids go in as one
        array and all of their vectors are compared: exact, and quick where they are few.
        """
        if self.projects is not None:
            deep = most + most // 2
            found = self._nearest(question, meaning, self._places(), deep=deep, most=most, least=deep)
            if len(found.matches) == most:
                return found
        mine = f"record_id = ANY(ARRAY(SELECT id FROM {self.sql}))", self.parameters  # noqa: S608
        return self._nearest(question, meaning, [mine], deep=most, most=most)

    def _places(self) -> list[Sql]:
        """Return where these records are: in the projects, or made visible to the whole organization elsewhere."""
        projects = list(self.projects or ())
        elsewhere = """
            record_id = ANY(ARRAY(
                SELECT id FROM memory_record
                WHERE organization_id = %s AND visibility = 'organization' AND project_id <> ALL(%s)
            ))
        """
        return [("project_id = ANY(%s)", [projects]), (elsewhere, [self.organization_id, projects])]

    def _nearest(
        self, question: Question, meaning: Meaning, places: Sequence[Sql], *, deep: int, most: int, least: int = 0
    ) -> Found:
        """Look so deep among the vectors of each place, and return the best that are seen.

        None is further than a place was looked at: there something nearer may stand behind what is hidden. Nothing at
        all if the first place gave fewer than `least`: an index of vectors may give up before it has found the rest.
        """
        units, asked = _units(question)
        vector, far = _written(meaning.vector or []), meaning.distance
        near = " UNION ALL ".join(
            f"""
                (SELECT {number} AS place, record_id, {far} AS far FROM memory_embedding
                 WHERE organization_id = %s AND model = %s AND {condition} ORDER BY {far} LIMIT %s)
            """  # noqa: S608
            for number, (condition, _) in enumerate(places)
        )
        looked_at = [
            value
            for _, values in places
            for value in (vector, self.organization_id, meaning.model, *values, vector, deep)
        ]
        rows = _rows(
            f"""
            WITH near AS MATERIALIZED ({near}), horizon AS (
                SELECT max(far) AS at FROM near GROUP BY place HAVING count(*) = {deep} ORDER BY at LIMIT 1
            )
            SELECT {units}, length(words), 1 - far, false, {_OF_A_RECORD}, left(content, {BEGINNING})
            FROM near JOIN LATERAL (SELECT * FROM {self.sql} WHERE id = near.record_id OFFSET 0) seen ON true
            WHERE far <= coalesce((SELECT at FROM horizon), 'NaN')
                AND (SELECT count(*) FROM near WHERE place = 0) >= {least}
            ORDER BY far, id DESC LIMIT %s
            """,  # noqa: S608
            [*looked_at, *asked, *self.parameters, most],
        )
        return _found(rows)

    def around(self, ids: Sequence[UUID], question: Question, meaning: Meaning) -> Found:
        """Return what was said around these records, which the caller is known to see, in rows. One statement."""
        units, asked = _units(question)
        cosine, vector = meaning.cosine
        rows = _rows(
            f"""
            WITH centre AS MATERIALIZED (
                SELECT id, project_id, workspace_id, session, observed_at FROM memory_record
                WHERE organization_id = %s AND id = ANY(%s) AND session IS NOT NULL
            )
            SELECT centre.id, beside.step, {units}, length(words), {cosine}, false, {_OF_BESIDE},
                beside.beginning
            FROM centre CROSS JOIN LATERAL ({self._side("<")} UNION ALL {self._side(">")}) beside
            LEFT JOIN memory_embedding e ON e.record_id = beside.id AND e.organization_id = %s AND e.model = %s
            ORDER BY centre.id, beside.step
            """,  # noqa: S608
            [
                *(self.organization_id, list(ids), *asked, *vector, *self.parameters, *self.parameters),
                *(self.organization_id, meaning.model),
            ],
        )
        standing: dict[UUID, list[tuple[int, UUID]]] = {}
        for centre, step, _, _, _, _, id, *_ in rows:
            standing.setdefault(centre, [(0, centre)]).append((step, id))
        found = _found([row[2:] for row in rows])
        return replace(found, rows=[[id for _, id in sorted(row)] for row in standing.values()])

    def _side(self, comparison: str) -> str:
        sign, order = (-1, "DESC") if comparison == "<" else (1, "ASC")
        return f"""
            (SELECT {_OF_A_RECORD}, words, left(content, {BEGINNING}) AS beginning,
                {sign} * row_number() OVER (ORDER BY observed_at {order}, id {order}) AS step
             FROM {self.sql}
             WHERE project_id = centre.project_id AND workspace_id = centre.workspace_id AND session = centre.session
               AND (observed_at, id) {comparison} (centre.observed_at, centre.id)
             ORDER BY observed_at {order}, id {order} LIMIT {STEPS})
        """  # noqa: S608

    def unembedded(self, *, most: int) -> int:
        """Count the records whose vector is still promised, up to `most`. One statement, two if any is promised."""
        promised = "SELECT 1 FROM memory_errand WHERE organization_id = %s AND kind = 'embed'"
        if not _rows(f"{promised} LIMIT 1", [self.organization_id]):
            return 0
        mine = f"{promised} AND EXISTS (SELECT FROM {self.sql} WHERE seen.id = record_id) LIMIT %s"
        return len(_rows(mine, [self.organization_id, *self.parameters, most]))


_NAMED = "coalesce(id = %s OR fact_key = %s OR source_id = %s, false)"


def _found(rows: Rows, *, spread: Sequence[int] = (), matching: int = 0) -> Found:
    """Take rows of units, words, cosine, named and the details apart."""
    matches, details = {}, {}
    for units, words, cosine, named, id, *told in rows:
        matches[id] = Match(units, words, cosine, named)
        details[id] = Details(*told)
    return Found(matches, details, spread, matching)


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
