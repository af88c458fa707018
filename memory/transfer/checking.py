"""What a line must hold beside its shape: no secret, no time to come, a name that can be one, an id of its own."""

from collections import Counter
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings

from memory.metrics import count_redactions
from memory.protocol.parsing import parse
from memory.redaction import redact_tree
from memory.transfer.reading import Broken, Numbered
from memory.transfer.reporting import Report
from memory.versions import ARCHIVISTS_PREFIX
from orgs.errors import Invalid, Refusal, TooLarge
from orgs.names import canonical

CLOCKS_APART = timedelta(minutes=5)


def checked(one: Numbered, report: Report, *, now: datetime) -> Numbered:
    """Return a record's or tombstone's line without its secrets, or raise Broken. It is noted that it was there."""
    try:
        line = _without_secrets(one.line, report)
        if report.knows(line.id):
            raise Invalid("This id stands in the file twice.", field="id")
        report.targets[line.id] = None
        _check_time(line, now=now)
        _check_name(line)
        _check_length(line)
    except Refusal as refusal:
        raise Broken(one.number, refusal) from None
    return replace(one, line=line)


def _without_secrets(line: Any, report: Report) -> Any:
    """Redact each text by itself, as in any other write: files come from anywhere."""
    clean, found = {}, Counter[str]()
    for name in line.TEXTS:
        clean[name], more = redact_tree(getattr(line, name))
        found.update(more)
    if not found:
        return line
    count_redactions(found)
    report.redactions.update(found)
    return parse(type(line), line.model_dump() | clean)


def _check_time(line: Any, *, now: datetime) -> None:
    late = next((name for name in ("created_at", "updated_at") if getattr(line, name) > now + CLOCKS_APART), None)
    if late:
        raise Invalid(f"{late} lies in the future.", field=late)


def _check_name(line: Any) -> None:
    key = getattr(line, "fact_key", None)
    if key is None:
        return
    if canonical(key) != key:
        raise Invalid("fact_key is not in its canonical spelling.", field="fact_key")
    if key.startswith(ARCHIVISTS_PREFIX) and not line.fact_key_by_archivist:
        raise Invalid(f"Keys that begin with {ARCHIVISTS_PREFIX} are the archivist's own.", field="fact_key")


def _check_length(line: Any) -> None:
    most = settings.MAX_CONTENT_CHARACTERS
    if len(getattr(line, "content", "")) > most:
        raise TooLarge(f"content may have {most} characters.", field="content", data={"limit_characters": most})
