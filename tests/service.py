"""The web role as it is run in earnest, in processes of its own, over the test's database."""

import json
import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pytest
import urllib3

from deploy.embedded.servers import listen, responds
from tests.cast import Person
from tests.conftest import url_of
from tests.deploy.watching import eventually
from tests.faults.servers import Process

Headers = Mapping[str, str]


@dataclass(frozen=True)
class Service:
    """The running service: where it is, and what its processes wrote."""

    port: int
    process: Process

    @property
    def url(self) -> str:
        """Return its address, without a slash at the end."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def log(self) -> str:
        """Return everything it has written so far."""
        return self.process.said

    def ask(self, method: str, path: str, *, headers: Headers | None = None, body: Any = None) -> Any:
        """Make one call on a connection of its own and follow no redirect."""
        with urllib3.PoolManager() as pool:
            return pool.request(
                method,
                self.url + path,
                headers=dict(headers or {}),
                body=body,
                redirect=False,
                retries=False,
                timeout=60,
            )

    def call(self, person: Person, verb: str, body: Mapping[str, Any], **headers: str) -> Any:
        """Call a verb as somebody."""
        sent = {"Content-Type": "application/json", **person.headers, **headers}
        return self.ask("POST", f"/v1/{verb}", headers=sent, body=json.dumps(body).encode())


@pytest.fixture(scope="session")
def service(django_db_setup: None, database_name: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Serve for as long as this process tests."""
    with listen(0) as reserved:
        port = reserved.getsockname()[1]
    address = f"127.0.0.1:{port}"
    process = Process(
        [
            sys.executable,
            "-m",
            "gunicorn",
            "--config",
            "deploy/serving.py",
            "--bind",
            address,
            "config.wsgi:application",
        ],
        {**os.environ, "DATABASE_URL": url_of("DATABASE_URL", database_name), "PUBLIC_URL": f"http://{address}"},
        tmp_path_factory.mktemp("service") / "service.log",
    )
    process.start()
    try:
        assert eventually(lambda: responds(f"http://{address}/healthz"), within=120), process.said
        yield Service(port, process)
    finally:
        process.kill()
