"""Secrets broken over two lines, or put together from two quoted pieces."""

from __future__ import annotations

import re
from collections.abc import Iterator

import re2

from memory.redaction.detectors.catalogue import provider_tokens
from memory.redaction.detectors.named import named_secrets
from memory.redaction.detectors.tokens import cloud_ids, lone_tokens, web_tokens
from memory.redaction.finding import Finding
from memory.redaction.reading import Edit, Reading
from memory.redaction.shapes import is_gibberish, is_wordy

_READ_AGAIN = (provider_tokens, web_tokens, cloud_ids, named_secrets, lone_tokens)
BREAK = re2.compile(
    r"[A-Za-z0-9+/_.=-](?:[ \t]*\\?\r?\n[ \t>|#*]{0,40}|[\"'][ \t]*[+.]?[ \t]*\\?(?:\r?\n)?[ \t]*[\"'])[A-Za-z0-9+/_.-]"
)
_PIECE = re.compile(r"[A-Za-z0-9+/_.-]{4,}={0,2}")
_HEAD = re.compile(r"[A-Za-z0-9+/_.-]{4,}$")
_DATE = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d")


def wrapped_secrets(text: str) -> Iterator[Finding]:
    """Yield secrets that only show once broken lines and pieces are put together again."""
    joined = Reading(text, _breaks(text))
    if len(joined.text) == len(text):
        return
    for detector in _READ_AGAIN:
        for found in detector(joined.text):
            if joined.crosses(found.start, found.end):
                yield Finding(found.kind, *joined.origin(found.start, found.end))


def _breaks(text: str) -> Iterator[Edit]:
    for found in BREAK.finditer(text):
        start, end = found.start() + 1, found.end() - 1
        if _goes_on(text, start, end):
            yield start, end, ""


def _goes_on(text: str, start: int, end: int) -> bool:
    """Say whether what stands behind a break is the rest of what stands before it, and no word or name of its own."""
    head = _HEAD.search(text[max(0, start - 64) : start])
    piece = _PIECE.match(text, end, end + 512)
    if head is None or piece is None or text[piece.end() : piece.end() + 1] in (":", "=", "("):
        return False
    rest = piece.group()
    if rest.isdigit() or _DATE.match(rest) or _is_word(head.group()):
        return False
    return not _is_word(rest) and not (is_wordy(head.group()) and is_wordy(rest))


def _is_word(piece: str) -> bool:
    if piece.isalpha():
        return not is_gibberish(piece)
    return is_wordy(piece) and not any(c.isdigit() for c in piece)
