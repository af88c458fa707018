"""Secrets hidden in base64: what is decoded is read like any text."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterator

import re2

from memory.redaction.finding import Finding

DEPTH = 2  # encodings inside encodings that are opened

_RUN = re2.compile(r"[A-Za-z0-9+/_-]{16,}={0,2}")
_LINE_END = re.compile(r"\r?\n[ \t]{0,16}")
_FULL_LINE = 40  # characters; a run this long at a line's end may go on in the next line
_TELLING = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
_IMAGES = ("iVBORw0KGgo", "/9j/", "R0lGOD", "UklGR")

Detector = Callable[[str], Iterator[Finding]]


def encoded_by(detectors: tuple[Detector, ...]) -> Detector:
    """Make a detector that opens base64 and asks the given ones about what is inside."""

    def encoded_secrets(text: str, depth: int = DEPTH) -> Iterator[Finding]:
        for start, end in _blocks(text):
            inside = opened(text[start:end])
            if inside is None:
                continue
            kind = next((each.kind for detector in detectors for each in detector(inside)), None)
            if kind is None and depth > 1:
                kind = next((each.kind for each in encoded_secrets(inside, depth - 1)), None)
            if kind is not None:
                yield Finding(kind, start, end)

    return encoded_secrets


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """Yield runs of base64; full lines and the line that follows them are one."""
    start = end = -1
    for run in _RUN.finditer(text):
        gap = _LINE_END.fullmatch(text, end, run.start()) if end >= 0 else None
        if gap is not None and end - max(start, text.rfind("\n", start, end)) >= _FULL_LINE:
            end = run.end()
            continue
        if end >= 0:
            yield start, end
        start, end = run.span()
    if end >= 0:
        yield start, end


def opened(written: str) -> str | None:
    """Decode base64 of either alphabet; None when no readable text comes out."""
    compact = "".join(written.split()).rstrip("=").replace("-", "+").replace("_", "/")
    if compact.startswith(_IMAGES) or len(compact) % 4 == 1:
        return None
    try:
        inside = base64.b64decode(compact + "=" * (-len(compact) % 4), validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return None
    return None if _TELLING.search(inside) else inside
