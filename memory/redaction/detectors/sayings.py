"""Secrets told before their name (`use X as the password`), and phrases of several words."""

from __future__ import annotations

import re

from memory.redaction.force import Force
from memory.redaction.names import Name
from memory.redaction.shapes import is_code, is_made_up, is_mixed, is_ordinary, is_placeholder, is_random, is_reference

REACH = 80  # characters before a name in which its value may stand

_LINK = re.compile(
    r"""(?xi)
    (?<!\S)["'`«“(]{0,2}([!-~]{5,64}?)["'`»”),]{0,2}
    \s*(?:is|as|was|being|for|—|–|-|это|как|будет|теперь|是|作为|作為|当|當做?|当作|就是)\s*
    (?:(?:the|a|an|my|our|your|his|her|their|its|new|old|current|temporary|default|initial|root|admin|master|db|database
      |мой|наш|ваш|его|её|их|новый|старый|временный|свежий|основной|我的|新的?|旧的?|临时|默认|登录|管理员)[\s]*){0,3}
    (?:[\w-]{2,16}\s){0,1}$
    """
)
_DIGIT = re.compile(r"\d")
_PHRASE_NAME = re.compile(r"(?i)phrase|mnemonic|seed|фраз|кодов|口令|助记")
_QUOTED = re.compile(r"[^\n\"'`«»“”]{0,40}?(?:[:=—–-]|\bis|\bwas|это|是|为)\s*[\"'`«“]([^\"'`«»“”\n]{8,160})[\"'`»”]")
_SEED = re.compile(r"(?:[^\n:]{0,40}?(?::|\bis))\s*((?:[a-z]{3,8}[ ,]+){11,23}[a-z]{3,8})\b")


def said_before(text: str, name: Name) -> tuple[int, int] | None:
    """Find the value that a sentence names only afterwards."""
    if name.force is Force.WEAK:
        return None
    begin = max(0, name.start - REACH)
    if not _DIGIT.search(text, begin, name.start):
        return None
    said = _LINK.search(text[begin : name.start])
    if said is None:
        return None
    value = said.group(1)
    if is_placeholder(value) or is_reference(value) or is_ordinary(value) or is_code(value):
        return None
    convincing = is_made_up(value) and is_mixed(value) if name.force is Force.PASSWORD else is_random(value, least=16)
    if not convincing or not any(c.isdigit() for c in value):
        return None
    return begin + said.start(1), begin + said.end(1)


def phrase(text: str, name: Name) -> tuple[int, int] | None:
    """Find a passphrase of several words, in quotes, or the twelve or more words of a wallet's seed."""
    if not _PHRASE_NAME.search(text, name.start, min(len(text), name.end + 12)):
        return None
    for form in (_SEED, _QUOTED):
        said = form.match(text, name.end, name.end + 320)
        if said is not None and " " in said.group(1) and not is_placeholder(said.group(1)):
            return said.span(1)
    return None
