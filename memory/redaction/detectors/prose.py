"""Secrets told in plain sentences, in English, Russian and Chinese.

A sentence is read as words. A value counts when it stands right behind a telling name or behind a word that hands it
over (`is`, `:`, `это`, `是`), or when it is so random that no sentence would hold it by chance.
"""

from __future__ import annotations

import re

from memory.redaction.names import Force, Name, is_other_name
from memory.redaction.reading import MASK
from memory.redaction.shapes import (
    is_hex,
    is_made_up,
    is_ordinary,
    is_placeholder,
    is_random,
    is_reference,
    is_uuid,
    is_wordy,
)

REACH = 160  # characters behind a name that still speak of it
NEAR = 14  # words between a name and what hands the value over

SENTENCE_END = re.compile(r"[.!?;](?=\s+[A-ZА-ЯЁ])|[。；！？]|\n\s*\n")
_WORD = re.compile(r"[!-~]+|[^\x00-\x7f\s]+")
_GIVES = re.compile(
    r"""(?xi)
    (?:.*[:=]|is|are|was|be|to|as|equals?|becomes?|use|using|try|with|now|namely|called|—|–|-|--|->|=>|→|==?
    |это|есть|был|была|будет|на|такой|такая|вот|равен|равно|стал|теперь|ставь|введи|вводи|введите|используй|используйте|как
    |.*[是为為：叫用作成到])$
    """
)
_OPEN, _CLOSE = "\"'`([{<*_«“‘「『（【《,:=", "\"'`)]}>*«»”’」』）】》.,;:，。；："


def told_value(text: str, name: Name, end: int) -> tuple[int, int] | None:
    """Find the secret that the words between a name and `end` hand over; None when they only talk about it."""
    before, words = "", 0
    for word in _WORD.finditer(text, name.end, min(len(text), name.end + REACH)):
        if word.start() >= end or words > NEAR or MASK in word.group():
            return None
        start, finish = _bared(text, word.start(), word.end())
        value = text[start:finish]
        quoted = start > word.start() and finish < word.end() and text[start - 1] in "\"'`«“"
        direct = not words or quoted or _GIVES.match(before) is not None or text[start - 1] in "=:"
        if value.isascii() and _tells(value, name, direct=direct, quoted=quoted):
            return start, finish
        if is_other_name(word.group()):
            return None
        before, words = word.group(), words + 1
    return None


def _tells(value: str, name: Name, *, direct: bool, quoted: bool) -> bool:
    if len(value) < 5 or is_placeholder(value) or is_reference(value):
        return False
    if is_ordinary(value) and not (direct and name.force is Force.PASSWORD and is_made_up(value)):
        return False
    if is_uuid(value) or is_hex(value):
        return direct and name.force is not Force.WEAK and len(value) >= 16
    if is_random(value, least=16) and any(c.isdigit() for c in value) and not value.startswith("/"):
        return True
    if not direct:
        return False
    if name.force is Force.PASSWORD:
        return is_made_up(value) and (not is_wordy(value) or any(c.isdigit() for c in value))
    return is_random(value, least=10) and any(c.isdigit() for c in value) and name.force is Force.SECRET


def _bared(text: str, start: int, end: int) -> tuple[int, int]:
    """Take brackets, quotes and the sentence's own signs off both ends of a word."""
    while start < end and text[start] in _OPEN:
        start += 1
    while end > start and text[end - 1] in _CLOSE:
        end -= 1
    return start, end
