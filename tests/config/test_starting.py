"""A process that could see past the walls does not serve: the real programs, started with the owner's role."""

import os
import subprocess
import sys

import pytest

from tests.conftest import url_of

ROLES = ["import config.wsgi", "import config.asgi"]


@pytest.mark.parametrize("start", ROLES)
@pytest.mark.parametrize(("variable", "serves"), [("DATABASE_OWNER_URL", False), ("DATABASE_URL", True)])
def test_only_the_runtime_role_serves(
    django_db_setup: None, database_name: str, start: str, variable: str, serves: bool
) -> None:
    environment = {**os.environ, "DATABASE_URL": url_of(variable, database_name)}
    done = subprocess.run([sys.executable, "-c", start], env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode == 0) is serves, done.stderr[-2000:]
    assert ("palimpsest_app" in done.stderr) is not serves


def test_a_worker_refuses_the_owners_role(django_db_setup: None, database_name: str) -> None:
    environment = {**os.environ, "DATABASE_URL": url_of("DATABASE_OWNER_URL", database_name)}
    command = [sys.executable, "-m", "celery", "-A", "config", "worker", "--pool", "solo"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode != 0
    assert "palimpsest_app" in done.stderr + done.stdout
