"""The limit: the same facts in the same server by psycopg alone, one table, one statement an act."""

import random
import threading
from collections.abc import Sequence
from typing import Any

import psycopg

from tests.benchmarks.facts import Fact

TABLE = """
DROP TABLE IF EXISTS bare;
CREATE TABLE bare (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, organization int NOT NULL, body text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(), vector halfvec({dimensions}) NOT NULL,
    words tsvector GENERATED ALWAYS AS (to_tsvector('english', body)) STORED
);
CREATE INDEX ON bare USING gin (words);
CREATE INDEX ON bare (organization, created_at DESC);
"""
INSERT = "INSERT INTO bare (organization, body, vector) VALUES (1, %s, %s::halfvec) RETURNING id"
HYBRID = """
WITH near AS (
    SELECT id, row_number() OVER (ORDER BY far) AS place
    FROM (SELECT id, vector <=> %(vector)s::halfvec AS far FROM bare WHERE organization = 1 ORDER BY far LIMIT 50) n
), worded AS (
    SELECT id, row_number() OVER (ORDER BY good DESC) AS place FROM (
        SELECT id, ts_rank(words, %(words)s::tsquery) AS good FROM bare
        WHERE organization = 1 AND words @@ %(words)s::tsquery ORDER BY good DESC LIMIT 50
    ) w
)
SELECT id, body FROM near FULL JOIN worded USING (id) JOIN bare USING (id)
ORDER BY coalesce(1.0 / (60 + near.place), 0) + coalesce(1.0 / (60 + worded.place), 0) DESC LIMIT 10
"""


class Bare:
    """One connection per thread, statements prepared. Vectors are made up: their number and size are what counts."""

    def __init__(self, address: str, *, dimensions: int) -> None:
        self._address = address
        self._local = threading.local()
        self._dimensions = dimensions
        with psycopg.connect(address, autocommit=True) as opened:
            for statement in TABLE.format(dimensions=dimensions).split(";"):
                if statement.strip():
                    opened.execute(statement)

    def write(self, fact: Fact) -> Any:
        """Store one fact, durably."""
        return self._rows(INSERT, (fact.text, self._vector(fact.text)))

    def search(self, fact: Fact) -> list[str]:
        """Return the ten best texts for the fact's question."""
        words = " | ".join(word for word in fact.question.lower().strip("?").replace("-", " ").split())
        rows = self._rows(HYBRID, {"vector": self._vector(fact.question), "words": words})
        return [body for _, body in rows]

    def _vector(self, text: str) -> str:
        chance = random.Random(text)
        return "[" + ",".join(f"{chance.uniform(-1, 1):.4f}" for _ in range(self._dimensions)) + "]"

    def _rows(self, statement: str, values: Any) -> Sequence[Any]:
        opened = getattr(self._local, "opened", None)
        if opened is None:
            opened = psycopg.connect(self._address, autocommit=True, prepare_threshold=1)
            self._local.opened = opened
        return opened.execute(statement, values).fetchall()
