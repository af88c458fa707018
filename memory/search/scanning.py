"""Text into tokens: runs of an unspaced script, compounds (words and identifiers), and signs that stand alone.

Pure. No two alternatives of the expression begin alike, so the time it takes grows with the length of the text only.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memory.search.folding import fold, normal

_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Myanmar, Khmer
    "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff"  # kana
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han
    "\u1100-\u11ff\uac00-\ud7af"  # Hangul
)
_MARKS = "\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u064b-\u065f\u0900-\u0963\u0966-\u0dff"  # written on a letter
_LETTER = f"(?:[^\\W_{_UNSPACED}]|[{_MARKS}])"
_WORD = f"{_LETTER}+(?:['\u2019\u02bc]{_LETTER}+)*"
_JOINT = r"(?:[.\-]|_+|[/\\:@=&?+#~%|]{1,3}[.\-_]{0,2})"
_TOKEN = re.compile(
    rf"(?P<run>[{_UNSPACED}]+)"
    rf"|(?P<lead>(?<![\w\-.])(?:--?|\.|[@#$~_]))?(?P<body>{_WORD}(?:{_JOINT}{_WORD})*)(?P<tail>(?:\+\+|[#%])(?!\w))?"
    r"|(?P<sign>[^\w\s])|(?P<rest>_+)"
)
_PARTS = re.compile(r"[/\\:@=&?+#~%|]+[.\-_]*")
_PIECES = re.compile(r"[.\-_]+")
_HUMPS = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_PUNCTUATION = frozenset(".,!?;:'\"()-\u2013\u2014\u2026\u2018\u2019\u201c\u201d\u00ab\u00bb")
_PUNCTUATION_OF_CJK = frozenset("\u3001\u3002\u300a\u300b\u300c\u300d\u3010\u3011\u00b7")


@dataclass(frozen=True, slots=True)
class Run:
    """Neighbouring characters of a script that is written without spaces."""

    characters: str


@dataclass(frozen=True, slots=True)
class Symbols:
    """A sign between words, neither a letter nor punctuation."""

    characters: str


@dataclass(frozen=True, slots=True)
class Compound:
    """A word or an identifier: segments (as of a path), each of one or more pieces, and how it was decorated."""

    segments: tuple[tuple[str, ...], ...]
    text: str
    decorated: str

    @property
    def plain(self) -> bool:
        """True of an ordinary word."""
        return len(self.segments) == 1 and len(self.segments[0]) == 1 and not self.decorated

    @property
    def identifier(self) -> bool:
        """True of a name that is meant to the letter: a path, a number, a flag, ``snake_case``, ``gpt-4o``."""
        if self.decorated or "_" in self.text or "\\" in self.text:
            return True
        return any(c.isdigit() for c in self.text) or self.text.count("/") > 1 or "." in self.text

    @property
    def signs(self) -> set[str]:
        """The signs it holds, each looked for when a question is nothing but signs."""
        return {sign for sign in self.decorated + self.text if is_sign(sign)}


def scan(text: str) -> Iterator[Run | Compound | Symbols]:
    """Every token of a text in order."""
    for match in _TOKEN.finditer(_THOUSANDS.sub("", normal(text))):
        if match["run"]:
            yield Run(match["run"])
        elif match["body"]:
            yield _compound(match["lead"] or "", match["body"], match["tail"] or "")
        elif is_sign(match.group()[0]):
            yield Symbols(match.group()[0])


def _compound(lead: str, body: str, tail: str) -> Compound:
    segments = tuple(
        tuple(hump for piece in _PIECES.split(part) for hump in _HUMPS.split(piece)) for part in _PARTS.split(body)
    )
    return Compound(segments, body, f"{lead}{fold(body)}{tail}" if lead or tail else "")


def is_sign(character: str) -> bool:
    """True of a character that is neither a letter, a digit, a space nor ordinary punctuation."""
    if character.isalnum() or character.isspace():
        return False
    return character not in _PUNCTUATION and character not in _PUNCTUATION_OF_CJK
