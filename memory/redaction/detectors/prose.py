"""Secrets told in plain sentences, in English, Russian and Chinese.

A sentence is read as words. A value counts when it stands right behind a telling name or behind a word that hands it
over (`is`, `:`, `это`, `是`), or when it is so random that no sentence would hold it by chance.
"""

from __future__ import annotations

import re
from enum import IntEnum

from memory.redaction.force import Force, is_other_name
from memory.redaction.names import Name
from memory.redaction.reading import MASK
from memory.redaction.shapes import (
    is_code,
    is_hex,
    is_made_up,
    is_mixed,
    is_ordinary,
    is_placeholder,
    is_random,
    is_reference,
    is_striking,
    is_uuid,
    is_wordy,
)

REACH = 160  # characters behind a name that still speak of it
SOON = 4  # words between a name and a value that nothing hands over
NEAR = 14  # words between a name and what hands the value over

Span = tuple[int, int]


class Hands(IntEnum):
    """How surely the words before a value hand it over."""

    NOT = 0
    NEXT = 1
    SURELY = 2


SENTENCE_END = re.compile(r"[.!?;](?=\s+[A-ZА-ЯЁ])|[。；！？]|\n\s*\n")
_PARAGRAPH_END = re.compile(r"(?<![:：])[ \t]*\n[ \t]*\n")
_REST = re.compile(r"\S{0,512}")  # of a word that the reach would cut in two
_SIBLING = re.compile(r"\n[ \t]*(?:[-*][ \t]+)?[\"']?[\w.-]+[\"']?[ \t]*$")  # another key begins on a line of its own
_ASSIGNED = re.compile(r"-{0,2}[\w.-]{1,40}[<>~!]?={1,3}[\w.]{2}")
_SIGNS = re.compile(r"[0-9!@#$%^&*?+]")  # a value told in a sentence holds one of these
_WORD = re.compile(r"[!#-;=?-~]+|[^\x00-\x7f\s]+")
_GIVES = re.compile(
    r"""(?xi)
    (?:.*[:=]|is|was|equals?|becomes?|—|–|-|--|->|=>|→|==?
    |это|был|была|будет|такой|такая|вот|равен|равно|стал|стала|теперь|.*[是為为：叫])$
    """
)
_PERHAPS = re.compile(
    r"""(?xi)
    (?:\||type|enter|put|input|it's|are|be|to|as|from|use|using|try|with|now|namely|called|set
    |есть|на|с|ставь|введи|вводи|введите|используй|используйте|как|.*[用作成到了从從由])$
    """
)
_OTHER_THING = re.compile(
    r"(?i)[ -](?:manager|policy|policies|field|fields|hash|hashes|hashing|encryption|algorithm|length|format|header"
    r"|rotation|strength|validation|generator|storage|endpoint|url|name|id|count|limit|usage|bucket|expiry|ttl|scope|flow"
    r"|provider|mechanism|screen|page)s?\b"
)
_WORD_AND_NUMBER = re.compile(r"[A-Za-z]{3,16}\d{3,8}")
_PATHLIKE = re.compile(r"[\w.-]+/[\w./-]+$")
_SLUG = re.compile(r"[a-z]+\d{0,3}(?:[-_.][a-z]*\d{0,3}){2,}")
_LOGIN = re.compile(r"[\w.@+-]{2,40}[/:|=](?=[^\s=/]{5})")
_TOKEN = re.compile(r"[A-Za-z0-9_+.~:-][A-Za-z0-9_+/.~:!@$%&*=-]*")
_IDENTIFIER = re.compile(r"[A-Za-z]\w*_\w+|[a-z]+[A-Z]\w*|[A-Z][A-Z0-9_]+")
_OPEN, _CLOSE = "\"'`([{<*_«“‘「『（【《,:=", "\"'`)]}>*«»”’」』）】》.,;:，。；："


def told_value(text: str, name: Name, end: int, *, again: bool = False) -> Span | None:
    """Find the secret that the words between a name and `end` hand over; None when they only talk about it.

    `again` asks for a further value behind one already found, as in `changed from A to B`.
    """
    limit = min(len(text), name.end + REACH)
    if not _SIGNS.search(text, name.end, min(limit, end + REACH // 2)):
        return None
    limit = word_end(text, limit)
    stop = _PARAGRAPH_END.search(text, name.end, limit)
    if _OTHER_THING.match(text, name.end, limit):
        return None
    before, words = ".", int(again)
    for word in _WORD.finditer(text, name.end, stop.start() if stop else limit):
        if word.start() >= end or words > NEAR or MASK in word.group():
            return None
        glued = word.start() == name.end and text[name.start].isascii() and text[name.end] not in "=:"
        if not glued and _SIGNS.search(text, word.start(), word.end()):
            start, finish = bared(text, word.start(), word.end())
            hands = _hands_over(text, before if words else "", start)
            start = _past_user(text, name, start, finish)
            if _tells(text[start:finish], name, hands, words):
                return start, finish
        if word.group()[-1] in ":=" and _SIBLING.search(text, name.end, word.end() - 1):
            return None
        if is_other_name(word.group()) or (word.group() in ("=", "==", ":=") and _IDENTIFIER.fullmatch(before)):
            return None
        before, words = _last_said(word.group(), before), words + 1
    return None


def _last_said(word: str, before: str) -> str:
    """Keep what a word says for the next one; quotes and fences say nothing."""
    silent = not any(c.isalnum() for c in word) and word not in ("|", "/") and _GIVES.match(word) is None
    return before if before and (silent or word.startswith("```")) else word


def _hands_over(text: str, before: str, start: int) -> Hands:
    """Say how surely the words before a value hand it over."""
    quoted = text[start - 1] in "\"'`«“"
    if not before:
        return Hands.NEXT
    if _GIVES.match(before) or text[start - 1] in "=:":
        return Hands.SURELY
    return Hands.NEXT if quoted or _PERHAPS.match(before) else Hands.NOT


def _tells(value: str, name: Name, hands: Hands, words: int) -> bool:
    if value.isdigit():
        return (
            hands > Hands.NOT
            and 4 <= len(value) <= 12
            and (name.kind == "pin" or (hands is Hands.SURELY and _is_long(value, name)))
        )
    if len(value) < 5 or not value.isascii() or _ASSIGNED.match(value) or is_idle(value):
        return False
    if is_uuid(value) or is_hex(value):
        near = hands > Hands.NOT or (words <= 2 and len(value) in (32, 64, 128))
        return near and name.force is not Force.WEAK and len(value) >= 16
    if _TOKEN.fullmatch(value) and is_random(value, least=16) and any(c.isdigit() for c in value):
        return hands > Hands.NOT or name.force is not Force.WEAK or name.kind == "api-key"
    if hands is Hands.NOT:
        return name.force is Force.PASSWORD and len(value) >= 7 and not is_code(value) and _stands_out(value, words)
    return _tells_nearby(value, name, hands) or (words == 0 and _tells_adjoining(value, name))


def _stands_out(value: str, words: int) -> bool:
    """Say whether a value some words behind its name looks like no word, name or term."""
    return is_striking(value) or (words <= SOON and is_made_up(value) and is_mixed(value) and not is_wordy(value))


def _tells_adjoining(value: str, name: Name) -> bool:
    """Say whether a word with a number right behind the name is meant as its value: `пароль zima2024`."""
    return name.force is Force.PASSWORD and _WORD_AND_NUMBER.fullmatch(value) is not None


def _tells_nearby(value: str, name: Name, hands: Hands) -> bool:
    machine_made = is_random(value, least=8 if name.force is Force.PASSWORD else 10) and any(c.isdigit() for c in value)
    if name.force is Force.WEAK:
        return (
            name.kind == "password"
            and len(value) >= 8
            and is_made_up(value)
            and is_mixed(value)
            and not is_wordy(value)
        )
    if name.force is Force.SECRET:
        return machine_made
    if not is_made_up(value) or is_code(value) or (_is_verb(name) and is_wordy(value) and not is_striking(value)):
        return False
    if is_mixed(value) or machine_made:
        return True
    return hands is Hands.SURELY and not _PATHLIKE.match(value) and not _SLUG.fullmatch(value)


def _is_verb(name: Name) -> bool:
    """Say whether a name is the plain word `pass`, which also means to hand something on."""
    return name.end - name.start == 4 and name.kind == "password"


def _is_long(value: str, name: Name) -> bool:
    return name.force is Force.PASSWORD and len(value) >= 6


def is_idle(value: str) -> bool:
    return is_placeholder(value) or is_reference(value) or is_ordinary(value)


def _past_user(text: str, name: Name, start: int, finish: int) -> int:
    """Leave the user's name of `admin/password` and `root=password` where it is."""
    login = _LOGIN.match(text, start, finish)
    rest = text[login.end() : finish] if login else ""
    if login is None or name.kind == "token" or "/" in rest or is_idle(rest) or not is_made_up(rest):
        return start
    if text[login.end() - 1] == "=" and (name.force is not Force.PASSWORD or not is_mixed(rest)):
        return start
    return login.end()


def word_end(text: str, place: int) -> int:
    """Go on to the end of a word that a limit would cut in two."""
    rest = _REST.match(text, place) if place < len(text) else None
    return rest.end() if rest else place


def bared(text: str, start: int, end: int) -> Span:
    """Take brackets, quotes and the sentence's own signs off both ends of a word."""
    while start < end and text[start] in _OPEN:
        start += 1
    while end > start and text[end - 1] in _CLOSE:
        end -= 1
    return start, end
