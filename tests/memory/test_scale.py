"""Ten thousand records in a project: a page costs what it always costs, and an export holds one batch at a time."""

import tracemalloc
from collections.abc import Callable, Iterator
from datetime import datetime
from itertools import count
from typing import Any

import psycopg
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memory.models import Record
from memory.protocol import shapes
from memory.queries import conflicts, listing, overview
from memory.transfer.exporting import export
from orgs.caller import Caller
from orgs.tenancy import acting_for
from tests.cast import Cast
from tests.memory.writing import remember

MANY = 10_000


@pytest.fixture
def ada(cast: Cast, now: datetime) -> Caller:
    return cast.ada.by_key(now=now)


@pytest.fixture
def settled(committed_cast: Cast, superuser: psycopg.Connection, now: datetime) -> Iterator[Caller]:
    """Come to records that are committed, and go when they are gone again."""
    caller = committed_cast.ada.by_key(now=now)
    superuser.autocommit = True
    yield caller
    for table in ("memory_errand", "memory_record"):
        superuser.execute(f"DELETE FROM {table} WHERE organization_id = %s", [caller.organization_id])
    superuser.autocommit = False


def multiply(caller: Caller, number: int, *, content: str = "'fact ' || n") -> None:
    """Copy the caller's only record so many times: each a second older, some of them versions of one fact."""
    made = {"id": "gen_random_uuid()", "content": content, "content_digest": "encode(sha256(n::text::bytea), 'hex')"}
    made |= {"created_at": "created_at - n * interval '1 second'", "fact_key": "'key ' || n / 3"}
    names = [field.column for field in Record._meta.concrete_fields]
    values = ", ".join(made.get(name, f'"{name}"') for name in names)
    columns = ", ".join(f'"{name}"' for name in names)
    with acting_for(caller.organization_id), connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO memory_record ({columns}) SELECT {values} FROM memory_record, generate_series(1, %s) n "
            "WHERE organization_id = %s",
            [number, caller.organization_id],
        )


def statements(act: Callable[[], Any]) -> int:
    with CaptureQueriesContext(connection) as asked:
        act()
    return len(asked)


def walked(caller: Caller, cursor: str | None, *, now: datetime) -> str | None:
    inputs = shapes.ListInputs.model_validate({"limit": 100, **({"cursor": cursor} if cursor else {})})
    answer = listing.records(caller, inputs, now=now)
    assert len(answer.results) == 100
    return answer.meta.next_cursor


def lists(caller: Caller, *, now: datetime) -> dict[str, int]:
    """Count the statements of one page of every list."""
    id = listing.records(caller, shapes.ListInputs(limit=1), now=now).results[0].id
    acts: dict[str, Callable[[], Any]] = {
        "records": lambda: listing.records(caller, shapes.ListInputs(limit=50), now=now),
        "versions": lambda: listing.versions(caller, id, shapes.Page(limit=50), now=now),
        "relations": lambda: listing.relations(caller, id, shapes.RelationsInputs()),
        "conflicts": lambda: conflicts.conflicts(caller, shapes.ConflictInputs(limit=20), now=now),
        "workspaces": lambda: overview.workspaces(caller, shapes.WorkspacesInputs()),
        "stats": lambda: overview.stats(caller, shapes.StatsInputs(), now=now),
    }
    return {name: statements(act) for name, act in acts.items()}


def test_a_page_of_any_list_takes_as_many_statements_in_a_large_project_as_in_a_small_one(
    settled: Caller, superuser: psycopg.Connection, now: datetime
) -> None:
    first = remember(settled, "fact", now=now, fact_key="key 0").id
    taken = []
    for number in (200, MANY):
        multiply(settled, number)
        superuser.execute("ANALYZE memory_record")  # as the server does by itself before long
        taken.append(lists(settled, now=now))
        superuser.execute(
            "DELETE FROM memory_record WHERE organization_id = %s AND id <> %s", [settled.organization_id, first]
        )
    assert taken[0] == taken[1]


def test_the_last_page_of_a_large_project_takes_as_many_statements_as_the_second(ada: Caller, now: datetime) -> None:
    remember(ada, "fact", now=now)
    multiply(ada, MANY - 1)
    cursor, taken = walked(ada, None, now=now), []
    while cursor:
        with CaptureQueriesContext(connection) as asked:
            cursor = walked(ada, cursor, now=now)
        taken.append(len(asked))
    assert (len(taken), set(taken)) == (MANY // 100 - 1, {taken[0]})


def test_an_export_of_a_large_project_is_a_stream(ada: Caller, now: datetime) -> None:
    remember(ada, "fact", now=now)
    multiply(ada, MANY - 1)
    asked = count()

    def counting(execute: Any, *statement: Any) -> Any:
        next(asked)
        return execute(*statement)

    tracemalloc.start()
    with connection.execute_wrapper(counting):
        size = sum(len(piece) for piece in export(ada, shapes.ExportInputs(), now=now))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (size > 5_000_000, peak < 2_000_000) == (True, True), (size, peak)
    assert next(asked) < 10 * MANY / 100, "each batch has its transaction, its setting, its sizes and its rows"


def test_an_export_of_long_records_holds_few_of_them_at_a_time(ada: Caller, now: datetime) -> None:
    remember(ada, "fact", now=now)
    multiply(ada, 99, content="repeat('long word ', 50000)")
    tracemalloc.start()
    size = sum(len(piece) for piece in export(ada, shapes.ExportInputs(), now=now))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (size > 49_000_000, peak < 12_000_000) == (True, True), (size, peak)
