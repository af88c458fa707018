"""The folder that holds everything one installation has to remember."""

import fcntl
import hashlib
import json
import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import cast


class Occupied(Exception):
    """Another starter uses this folder."""


class Home:
    """One data folder: secrets and credentials (readable by their owner alone), the servers' data, caches."""

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        self.caches = self.path / "cache"

    @contextmanager
    def occupied(self) -> Iterator[None]:
        """This will make the folder and keep others out of it, even if this process is killed. Raises Occupied."""
        mode = 0o711 if os.geteuid() == 0 else 0o700  # PostgreSQL's own user has to pass, and sees no name in here
        self.path.mkdir(mode=mode, parents=True, exist_ok=True)
        self.caches.mkdir(mode=0o700, exist_ok=True)
        with (self.path / "running").open("a+") as held:
            try:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                held.seek(0)
                holder = held.read().strip() or "unknown"
                raise Occupied(f"Palimpsest already runs on {self.path} (process {holder}).") from None
            held.truncate(0)
            held.write(str(os.getpid()))
            held.flush()
            yield

    def secrets(self) -> dict[str, str]:
        """This will give the secrets of this installation, made at the first call."""
        kept = self.path / "secrets.json"
        if not kept.exists():
            _write_privately(kept, {name: secrets.token_urlsafe(48) for name in ("SECRET_KEY", "KEY_PEPPER")})
        return cast("dict[str, str]", json.loads(kept.read_text()))

    def demo(self, *, database: str = "") -> dict[str, str | None] | None:
        """This will give the demo's email, password and API key, if it was made in `database` (ours: no name)."""
        kept = self._demo(database)
        return cast("dict[str, str | None]", json.loads(kept.read_text())) if kept.exists() else None

    def keep_demo(self, credentials: dict[str, str | None], *, database: str = "") -> None:
        """This will remember the demo's credentials for later starts."""
        _write_privately(self._demo(database), credentials)

    def _demo(self, database: str) -> Path:
        digest = hashlib.sha256(database.encode()).hexdigest()[:12]
        return self.path / (f"demo-{digest}.json" if database else "demo.json")


def _write_privately(path: Path, content: Mapping[str, str | None]) -> None:
    """Written aside and moved: after a power cut the file is whole or absent."""
    aside = path.with_suffix(".new")
    aside.unlink(missing_ok=True)
    descriptor = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        json.dump(content, file)
        file.flush()
        os.fsync(file.fileno())
    aside.rename(path)
