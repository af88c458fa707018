"""A database of their own for the tests of each process, served to them by the role that serves in earnest.

Needs DATABASE_SUPERUSER_URL, DATABASE_OWNER_URL and DATABASE_URL (`deploy/test.py` sets them). A test that asks
for `db` runs in a transaction that is rolled back; one that asks for `committed` commits for real, in
organizations of its own, so that nothing has to be emptied afterwards.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg
import pytest
from django.core.management import call_command
from django.db import connection, connections
from django.utils import timezone, translation

from config.env import environment
from tests.cast import Cast, gather

ROLES = Path(__file__).resolve().parent.parent / "deploy" / "postgres" / "roles.sql"
ROLES_LOCK = 7_255_254_670


def url_of(variable: str, name: str) -> str:
    """Take a server's address from the environment, and another database's name."""
    return urlunsplit(urlsplit(os.environ[variable])._replace(path=f"/{name}"))


@pytest.fixture(scope="session")
def database_name(request: pytest.FixtureRequest) -> str:
    """Name the database of this process."""
    worker = getattr(request.config, "workerinput", {}).get("workerid", "main")
    return f"palimpsest_test_{os.getpid()}_{worker}"


@pytest.fixture(scope="session")
def django_db_setup(django_db_blocker: Any, database_name: str) -> Iterator[None]:
    """Make the database, migrate it as its owner, and serve it as the runtime role; drop it at the end."""
    with _new_database(database_name), django_db_blocker.unblock():
        _connect_as("DATABASE_OWNER_URL", database_name)
        call_command("migrate", verbosity=0, interactive=False)
        _connect_as("DATABASE_URL", database_name)
        yield
        connection.close()


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """Begin in English: a request in another language leaves its thread in that one, as under a real server."""
    with translation.override("en"):
        yield


@contextmanager
def _new_database(name: str) -> Iterator[None]:
    with psycopg.connect(os.environ["DATABASE_SUPERUSER_URL"], autocommit=True) as server:
        server.execute(f'CREATE DATABASE "{name}"')
        try:
            # Roles belong to the whole server: one process at a time may alter them.
            server.execute("SELECT pg_advisory_lock(%s)", [ROLES_LOCK])
            with psycopg.connect(url_of("DATABASE_SUPERUSER_URL", name), autocommit=True) as inside:
                inside.execute(ROLES.read_bytes())
            server.execute("SELECT pg_advisory_unlock(%s)", [ROLES_LOCK])
            yield
        finally:
            server.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def _connect_as(variable: str, name: str) -> None:
    connection.close()
    said = environment().database(variable)
    connection.settings_dict.update({key: said[key] for key in ("USER", "PASSWORD", "HOST", "PORT")}, NAME=name)
    connections.settings["default"].update({"NAME": name})


@pytest.fixture
def committed(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """Let the test commit. What it makes stays until the end, in organizations that only it knows."""
    with django_db_blocker.unblock():
        yield
        connection.close()


@pytest.fixture
def superuser(django_db_setup: None, database_name: str) -> Iterator[psycopg.Connection]:
    """Connect past every wall, to see what is really there or to break in; rolled back at the end."""
    with psycopg.connect(url_of("DATABASE_SUPERUSER_URL", database_name)) as opened:
        yield opened
        opened.rollback()


@pytest.fixture
def runtime(django_db_setup: None, database_name: str) -> Callable[[], psycopg.Connection]:
    """Open further connections of the runtime role, beside Django's own."""
    return lambda: psycopg.connect(url_of("DATABASE_URL", database_name))


@pytest.fixture
def now() -> datetime:
    """Read the clock once for the whole test."""
    return timezone.now()


@pytest.fixture
def cast(db: None, now: datetime) -> Cast:
    """Gather one person per boundary, in a transaction that is rolled back."""
    return gather(now=now)


@pytest.fixture
def committed_cast(committed: None, now: datetime) -> Cast:
    """Gather one person per boundary, for tests of several connections."""
    return gather(now=now)


from tests.service import service  # noqa: E402, F401 — it needs this file's addresses
