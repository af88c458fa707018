"""Passwords behind a user's name: `login: admin / password`, `creds - deploy:password`."""

from __future__ import annotations

import re

from memory.redaction.detectors.prose import SENTENCE_END, bared, is_idle, word_end
from memory.redaction.names import Name
from memory.redaction.shapes import is_code, is_made_up, is_mixed, is_wordy

REACH = 80  # characters behind a name in which user and password may stand

_PAIR = re.compile(
    r"(?<![A-Za-z0-9_/.])(?<![A-Za-z0-9]:)[A-Za-z0-9_.@+-]{2,40}(?::|[ \t]{0,2}/[ \t]{0,2}| : )([!-~]{5,64})"
)
_ISSUE = re.compile(r"#\d+$")
_OPENS = re.compile("cred|кред|auth", re.IGNORECASE)
_SIGNS = re.compile(r"[0-9!@#$%^&*?+]")


def told_login(text: str, name: Name, end: int) -> tuple[int, int] | None:
    """Find the password of `admin / password` behind a word such as login, access or account."""
    if name.kind != "password" and not _OPENS.match(text, name.start, name.end):
        return None
    limit = word_end(text, min(len(text), name.end + REACH, end + REACH // 2))
    if not _SIGNS.search(text, name.end, limit):
        return None
    stop = SENTENCE_END.search(text, name.end, limit)
    for pair in _PAIR.finditer(text, name.end, stop.start() if stop else limit):
        start, finish = bared(text, *pair.span(1))
        if _is_password(text[start:finish]):
            return start, finish
    return None


def _is_password(value: str) -> bool:
    if "/" in value or value[:1] == ":" or _ISSUE.search(value) or is_idle(value) or is_code(value):
        return False
    return is_made_up(value) and is_mixed(value) and (any(not c.isalnum() for c in value) or not is_wordy(value))
