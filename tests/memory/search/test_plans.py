"""How the database goes about a search, as the role that serves: row-level security must not cost the indexes."""

import json
from datetime import datetime
from typing import Any
from uuid import UUID

import psycopg
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memory.models import Record
from orgs.tenancy import acting_for
from tests.cast import Cast
from tests.conftest import url_of
from tests.memory.search.conftest import Memory

QUESTION = "which blue kettle is it?"
MANY, SOME = 5_000, 300


@pytest.fixture
def plans(committed_cast: Cast, database_name: str, now: datetime) -> list[dict[str, Any]]:
    """Give every step of the plans of a search among many records, with what the database knows of them up to date."""
    memory = Memory(committed_cast.ada.by_key(now=now))
    id = memory.remember("the kettle is blue")
    memory.embed()
    _fill(memory, like=id)
    with psycopg.connect(url_of("DATABASE_OWNER_URL", database_name), autocommit=True) as owner:
        owner.execute("ANALYZE memory_record, memory_embedding")
    with CaptureQueriesContext(connection) as captured:
        memory.ask(QUESTION)
    asked = [one["sql"] for one in captured if one["sql"].lstrip().startswith("WITH")]
    with acting_for(memory.caller.organization_id), connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_sort = off")  # for a few thousand vectors the database would rather sort
        return [step for sql in asked for step in _steps(_plan(cursor, sql))]


def _fill(memory: Memory, *, like: UUID) -> None:
    """Add thousands of records of other words, which no test could wait for if they came through the verb."""
    columns = [field.column for field in Record._meta.concrete_fields if field.column not in {"id", "words"}]
    copied = ", ".join(columns)
    with acting_for(memory.caller.organization_id), connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO memory_record (id, words, {copied}) "
            f"SELECT uuidv7(), to_tsvector('simple', 'other ' || number), {copied} "
            f"FROM memory_record, generate_series(1, {MANY}) AS number WHERE id = %s",
            [like],
        )
        cursor.execute(
            "INSERT INTO memory_embedding (record_id, organization_id, project_id, model, vector) "
            "SELECT r.id, r.organization_id, r.project_id, e.model, "
            "(SELECT array_agg(sin(place * hashtext(r.id::text)::float8))::real[]::halfvec "
            "FROM generate_series(1, 512) AS place) "
            "FROM memory_record r JOIN memory_embedding e ON e.record_id = %s "
            f"WHERE r.id <> %s LIMIT {SOME}",
            [like, like],
        )


def _plan(cursor: Any, sql: str) -> dict[str, Any]:
    cursor.execute(f"EXPLAIN (FORMAT JSON) {sql}")
    told = cursor.fetchone()[0]
    plan: dict[str, Any] = (json.loads(told) if isinstance(told, str) else told)[0]["Plan"]
    return plan


def _steps(plan: dict[str, Any]) -> list[dict[str, Any]]:
    return [plan, *(step for part in plan.get("Plans", ()) for step in _steps(part))]


def test_words_are_found_by_their_index(plans: list[dict[str, Any]]) -> None:
    conditions = [step["Index Cond"] for step in plans if step.get("Index Name") == "words_in_a_project"]
    assert any("words @@" in condition and "organization_id" in condition for condition in conditions)


def test_what_is_near_is_found_by_the_index_of_vectors(plans: list[dict[str, Any]]) -> None:
    orders = [step.get("Order By", "") for step in plans if "vectors_of" in step.get("Index Name", "")]
    assert any("<=>" in order for order in orders)


def test_the_role_that_asks_is_behind_the_wall(plans: list[dict[str, Any]]) -> None:
    filters = [step.get("One-Time Filter", "") + step.get("Filter", "") for step in plans]
    assert any("InitPlan" in one for one in filters)
