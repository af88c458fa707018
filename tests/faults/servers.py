"""A broker, a worker, beat and an embedder of a test's own: real processes that may be stopped, killed and emptied."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from redis import Redis

from deploy.embedded.processes import leashed
from deploy.embedded.valkey import Valkey
from tests.deploy.watching import eventually

ROOT = Path(__file__).resolve().parent.parent.parent
DIMENSIONS = 8


@dataclass
class Process:
    """One program that the test starts and ends; its output goes to a file."""

    command: list[str]
    environment: Mapping[str, str]
    log: Path
    running: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Run it."""
        with self.log.open("ab") as output:
            self.running = subprocess.Popen(
                leashed(self.command, number=signal.SIGKILL),
                env=dict(self.environment),
                cwd=ROOT,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )

    def kill(self) -> None:
        """End it and its children without a warning."""
        if self.running:
            with suppress(ProcessLookupError):
                os.killpg(self.running.pid, signal.SIGKILL)
            self.running.wait()
            self.running = None

    @property
    def said(self) -> str:
        """Return what it wrote so far."""
        return self.log.read_text() if self.log.exists() else ""


@dataclass
class Broker(Process):
    """Valkey on a socket."""

    server: Valkey | None = None

    @classmethod
    def at(cls, home: Path) -> "Broker":
        """Describe the broker that lives in a folder."""
        server = Valkey(home, throwaway=True)
        program = server.program()
        program.prepare()
        return cls(list(program.command), dict(os.environ), home / "broker.log", server=server)

    def start(self) -> None:
        """Run it, and wait until it answers."""
        super().start()
        assert self.server
        assert eventually(self.server.program().ready)

    @contextmanager
    def client(self) -> Iterator[Redis]:
        """Talk to it."""
        assert self.server
        path = str(self.server.socket)
        with closing(Redis(unix_socket_path=path, decode_responses=True, socket_timeout=None)) as opened:
            yield opened


@dataclass
class Embedder:
    """An OpenAI-compatible endpoint on this machine that counts what it is asked, and may be slow, or fail."""

    pause: float = 0.0
    broken: bool = False
    poison: str = ""
    asked: list[str] = field(default_factory=list)
    server: ThreadingHTTPServer | None = None

    def start(self) -> str:
        """Serve, and return the address."""
        embedder = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                embedder.asked.extend(body["input"])
                time.sleep(embedder.pause)
                poisoned = embedder.poison and any(embedder.poison in text for text in body["input"])
                vector = [1.0] + [0.0] * (DIMENSIONS - 1)
                rows = [{"index": place, "embedding": vector} for place in range(len(body["input"]))]
                answer = json.dumps({"data": rows, "model": body["model"]}).encode()
                with suppress(BrokenPipeError):
                    self.send_response(503 if embedder.broken else 400 if poisoned else 200)
                    self.send_header("Content-Type", "application/json")
                    self.send_header("Content-Length", str(len(answer)))
                    self.end_headers()
                    self.wfile.write(answer)

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{self.server.server_address[1]}/v1"

    def stop(self) -> None:
        """Serve no more."""
        if self.server:
            self.server.shutdown()
            self.server.server_close()

    def times(self, text: str) -> int:
        """Count how often it was asked about a text."""
        return sum(text in asked for asked in self.asked)


def celery(*arguments: str, environment: Mapping[str, str], log: Path) -> Process:
    """Describe a process of Celery's; one that logs as in earnest."""
    return Process([sys.executable, "-m", "celery", "-A", "config", *arguments], environment, log)
