"""The whole product as `deploy/up.py` runs it, in a folder of its own, and calls to it over HTTP."""

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from deploy.embedded.processes import leashed
from deploy.environment import PLACE, ROOT
from tests.benchmarks.machine import parts_of


@dataclass
class Product:
    """The running product. Each thread keeps one connection."""

    starter: subprocess.Popen[str]
    facts: Mapping[str, str]
    _local: threading.local = field(default_factory=threading.local)

    def parts(self) -> dict[str, list[int]]:
        """Return its processes by part."""
        return {part: pids for part, pids in parts_of(self.starter.pid).items() if part != "other"}

    def call(self, verb: str, body: Mapping[str, Any]) -> Any:
        """Call a verb; anything but success ends the measurement."""
        return self._post(f"/v1/{verb}", body)

    def tool(self, name: str, arguments: Mapping[str, Any]) -> Any:
        """Call a tool over MCP as clients of 2025 do; a tool's error ends the measurement as well."""
        params = {"name": name, "arguments": arguments}
        told = self._post("/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
        if told["result"]["isError"]:
            raise RuntimeError(f"{name}: {told['result']['content']}")
        return told["result"]["structuredContent"]

    def _post(self, path: str, body: Mapping[str, Any]) -> Any:
        connection = self._connection()
        headers = {"Authorization": f"Bearer {self.facts['api_key']}", "Content-Type": "application/json"}
        connection.request("POST", path, json.dumps(body).encode(), headers)
        response = connection.getresponse()
        told = response.read()
        if response.status >= 300:
            raise RuntimeError(f"{path}: {response.status} {told[:300]!r}")
        return json.loads(told)

    @contextmanager
    def archivist_asleep(self) -> Iterator[None]:
        """Hold the background work still, so that what it costs is not counted in."""
        for pid in self.parts()["worker"]:
            os.kill(pid, signal.SIGSTOP)
        try:
            yield
        finally:
            for pid in self.parts()["worker"]:
                os.kill(pid, signal.SIGCONT)

    def _connection(self) -> http.client.HTTPConnection:
        known: http.client.HTTPConnection | None = getattr(self._local, "connection", None)
        if known is None:
            place = urlsplit(self.facts["url"])
            known = http.client.HTTPConnection(place.hostname or "", place.port, timeout=120)
            known.connect()
            known.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._local.connection = known
        return known


@contextmanager
def running(data: Path, *, model: str) -> Iterator[Product]:
    """Start everything with this embedding model, and stop all of it at the end."""
    command = leashed([sys.executable, str(ROOT / "deploy" / "up.py"), "--data", str(data), "--port", "0", "--json"])
    caches = str(PLACE / "cache")  # compiling the rules of redaction is no part of it
    environment = {**os.environ, "EMBEDDINGS_MODEL": model, "LOG_LEVEL": "WARNING", "DATA_DIR": caches}
    with (data / "up.log").open("w") as log:
        starter = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, env=environment, cwd=ROOT, text=True)
    try:
        said = starter.stdout.readline() if starter.stdout else ""
        if not said:
            raise RuntimeError(f"it did not start: {(data / 'up.log').read_text()[-2000:]}")
        time.sleep(2)
        yield Product(starter, json.loads(said))
    finally:
        starter.send_signal(signal.SIGTERM)
        starter.wait(timeout=60)
