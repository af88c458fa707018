"""Passwords inside connection strings and links, in all their spellings."""

from __future__ import annotations

import re
from collections.abc import Iterator

import re2

from memory.redaction.finding import Finding
from memory.redaction.shapes import is_placeholder, is_reference

REACH = 512  # characters of a link looked at after its scheme

_ORACLE = re2.compile(r"(?i):(?:thin|oci):\w{1,64}/([^\s@\"']{4,128})@")
_AUTHORITY = re.compile(r"([^\s:@/\"'<>?#]{0,128}):([^\s\"'`<>]{1,256})@(?=[\w\[{$%-])")


def links_with_credentials(text: str) -> Iterator[Finding]:
    """Yield the password of `scheme://user:password@host`, whatever signs it holds; scheme, user and host stay."""
    yield from (Finding("connection-password", *found.span(1)) for found in _ORACLE.finditer(text))
    mark = -1
    while (mark := text.find("://", mark + 1)) >= 0:
        after = mark + 3
        found = _AUTHORITY.match(text, after, after + REACH) if text[max(0, mark - 1)].isalnum() else None
        if found is None:
            continue
        start, end = found.span(2)
        end = _end_of_password(text, start, end)
        value = text[start:end]
        if value and not _is_port(value) and not is_placeholder(value) and not is_reference(value):
            yield Finding("connection-password", start, end)


def _end_of_password(text: str, start: int, end: int) -> int:
    """Stop at the `@` that a host follows: the last one before the path, or before a second link begins."""
    value = text[start:end]
    further = value.find("://")
    if further >= 0:
        value = value[:further]
        return start + max(value.rfind("@"), 0)
    return end


def _is_port(value: str) -> bool:
    return re.match(r"\d{1,5}(?:/|$)", value) is not None and not value.isdigit()
