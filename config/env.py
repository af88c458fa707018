"""Typed reads of the environment. A bad value stops the start and is named."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit


class BadSetting(SystemExit):
    """The environment holds a value the service can't start with; the message says what to set."""

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(f"setting {name}: {problem}")
        self.name = name


@dataclass(frozen=True, slots=True)
class Env:
    """Reads of one mapping of environment variables."""

    values: dict[str, str]

    def text(self, name: str, default: str | None = None) -> str:
        """Return the text of a variable, or of the file that NAME_FILE points at (for secrets)."""
        value = self.values.get(name)
        path = self.values.get(f"{name}_FILE")
        if value is None and path:
            try:
                value = Path(path).read_text().strip()
            except OSError as error:
                raise BadSetting(f"{name}_FILE", f"can't read {path} ({error.strerror})") from None
        if value is None:
            value = default
        if value is None:
            raise BadSetting(name, "is not set; set it, or name a file that holds it in " + name + "_FILE")
        return value

    def flag(self, name: str, *, default: bool) -> bool:
        """Return a yes-or-no variable; only the usual words are taken."""
        word = self.text(name, "yes" if default else "no").strip().lower()
        if word in {"1", "true", "yes", "on"}:
            return True
        if word in {"0", "false", "no", "off", ""}:
            return False
        raise BadSetting(name, "must be yes or no")

    def whole(self, name: str, default: int, *, least: int = 0, most: int = 2**31 - 1) -> int:
        """Return a whole number between `least` and `most`."""
        raw = self.text(name, str(default)).strip()
        if not (raw.isascii() and raw.isdigit()) or not least <= int(raw) <= most:
            raise BadSetting(name, f"must be a whole number from {least} to {most}")
        return int(raw)

    def words(self, name: str, default: str = "") -> list[str]:
        """Return a comma-separated list without empty items."""
        return [word.strip() for word in self.text(name, default).split(",") if word.strip()]

    def url(self, name: str, schemes: set[str], default: str | None = None) -> str:
        """Return a URL whose scheme is one of `schemes`."""
        raw = self.text(name, default)
        if urlsplit(raw).scheme not in schemes:
            raise BadSetting(name, "must be a URL that begins with " + " or ".join(sorted(f"{s}:" for s in schemes)))
        return raw

    def database(self, name: str) -> dict[str, Any]:
        """Return Django's connection parameters for postgresql://user:password@host:port/name?host=/socket/dir."""
        parts = urlsplit(self.url(name, {"postgresql", "postgres"}))
        options = dict(parse_qsl(parts.query))
        try:
            port = parts.port
        except ValueError:
            raise BadSetting(name, "has a port that is not a number") from None
        if not parts.path.strip("/"):
            raise BadSetting(name, "names no database: postgresql://user@host/NAME")
        return {
            "NAME": unquote(parts.path.strip("/")),
            "USER": unquote(parts.username or ""),
            "PASSWORD": unquote(parts.password or ""),
            "HOST": options.pop("host", unquote(parts.hostname or "")),
            "PORT": options.pop("port", str(port or "")),
            "OPTIONS": options,
        }


def environment() -> Env:
    """Return the reads of this process's environment."""
    return Env(dict(os.environ))
