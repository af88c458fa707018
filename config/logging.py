"""JSON lines: when, what, who, how it ended, how long it took. Never a record's text, never a secret."""

import json
import logging
import traceback
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

context: ContextVar[dict[str, Any]] = ContextVar("context", default={})  # noqa: B039 — replaced, never changed
"""What every line of the present request or task carries."""

_FIELDS = (
    "request_id",
    "organization",
    "key",
    "verb",
    "outcome",
    "status",
    "milliseconds",
    "route",
    "task",
    "fault",
    "count",
)

_DOORBELLS = ("celery.worker.strategy", "celery.worker.request", "celery.app.trace", "celery.beat")


class JSONLines(logging.Formatter):
    """One JSON object a line. Of an exception only its class and places: its message may quote a record."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage(),
            **context.get(),
            **{name: getattr(record, name) for name in _FIELDS if hasattr(record, name)},
        }
        if record.exc_info and record.exc_info[0]:
            line["exception"] = record.exc_info[0].__name__
            frames = traceback.extract_tb(record.exc_info[2])
            line["places"] = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames[-12:]]
        return json.dumps(line, ensure_ascii=False, default=str)


def json_logging(*, level: str) -> dict[str, Any]:
    """Return Django's LOGGING: everything to standard error, as JSON lines."""
    quiet = {"level": "CRITICAL", "propagate": True}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"json": {"()": "config.logging.JSONLines"}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            # Django's request loggers quote addresses as they were sent; `config.requests` says the same without.
            "django.request": quiet,
            "django.security": quiet,
            "mcp": quiet,  # the SDK tells of messages; what goes wrong in ours is told by `memory.api.problems`
            "django.db.backends": {"level": "WARNING", "propagate": True},
            # A line for every doorbell says nothing; `archivist.working` tells what was done.
            **{name: {"level": "WARNING"} for name in _DOORBELLS},
            "django": {"handlers": [], "level": level, "propagate": True},
        },
    }
