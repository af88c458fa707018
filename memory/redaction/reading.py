"""A text as a detector should read it, and the way back to the text as it was written.

People (and editors, chat programs, HTML exporters) write secrets with full-width letters, with zero-width
characters inside, as HTML entities, or broken over two lines. Detectors read a tidied text; each finding is then
carried back to the characters it really stands on.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from html import unescape

INVISIBLE = "\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff"
MASK = "\ufffc"  # stands where a secret was taken out already
_CUT = re.compile(
    rf"[{INVISIBLE}]+|\[redacted:[a-z0-9-]{{1,64}}\]|%(?:3[AaDd]|22)"
    r"|&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z]{2,8});"
)
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")  # half a character, which no library takes
_PUBLIC = re.compile(  # long and random, and made to be shown: certificates, public keys, pictures
    r"-----BEGIN (?:[A-Z0-9]+ ){0,3}(?:CERTIFICATE|PUBLIC KEY|CERTIFICATE REQUEST|CRL|SIGNATURE)-----"
    r"[^-]*-----END [A-Z0-9 ]{1,40}-----"
    r"|data:[a-z]{1,16}/[a-z0-9.+-]{1,40};base64,[A-Za-z0-9+/=\s%]{16,}"
    r"|(?:ssh-[a-z0-9-]{3,20}|ecdsa-[a-z0-9-]{3,24}|sk-ssh-\S{3,32}) AAAA[A-Za-z0-9+/=]{16,}"
)
_WIDE_SIGNS = "＄％＆＊＋－．／：；＝？＠＿＃"  # the ideographic comma, brackets and stops go on ending a value
_WIDE = {ord(sign): ord(sign) - 0xFEE0 for sign in _WIDE_SIGNS}
_WIDE |= {code: code - 0xFEE0 for first, last in ("０９", "ＡＺ", "ａｚ") for code in range(ord(first), ord(last) + 1)}
_WIDE |= {0xA0: 0x20, 0x3000: 0x20, 0x2018: 0x27, 0x2019: 0x27, 0x201C: 0x22, 0x201D: 0x22, 0x300C: 0x22, 0x300D: 0x22}

_WIDE_INSIDE = re.compile("(?<=[０-９Ａ-Ｚａ-ｚ])[！-／：-＠［-｀｛-～](?=[０-９Ａ-Ｚａ-ｚ])")

Edit = tuple[int, int, str]


class Reading:
    """`text` made from `source` by edits `(start, end, replacement)`, ordered and apart."""

    __slots__ = ("_new_ends", "_new_starts", "_old", "text")

    def __init__(self, source: str, edits: Iterable[Edit]) -> None:
        """Keep, for each edit, where it stands in both texts."""
        pieces: list[str] = []
        self._old: list[tuple[int, int]] = []
        self._new_starts: list[int] = []
        self._new_ends: list[int] = []
        done = length = 0
        for start, end, replacement in edits:
            pieces += (source[done:start], replacement)
            length += start - done
            self._new_starts.append(length)
            length += len(replacement)
            self._new_ends.append(length)
            self._old.append((start, end))
            done = end
        pieces.append(source[done:])
        self.text = "".join(pieces)

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """Say which characters of the source `text[start:end]` was made from."""
        return self._start(start), self._end(end)

    def crosses(self, start: int, end: int) -> bool:
        """Say whether an edit lies strictly inside `text[start:end]`."""
        index = bisect_right(self._new_starts, start)
        return index < len(self._new_starts) and self._new_starts[index] < end

    def _start(self, place: int) -> int:
        index = bisect_right(self._new_starts, place) - 1
        if index < 0:
            return place
        if place < self._new_ends[index]:
            return self._old[index][0]
        return self._old[index][1] + place - self._new_ends[index]

    def _end(self, place: int) -> int:
        index = bisect_left(self._new_starts, place) - 1
        if index < 0:
            return place
        if place <= self._new_ends[index]:
            return self._old[index][1]
        return self._old[index][1] + place - self._new_ends[index]


def folded(source: str) -> Reading:
    """Read full-width signs as plain ones, entities as what they stand for, invisible characters as nothing."""
    plain = source if source.isascii() else _narrow(source)
    public = [(each.start(), each.end(), MASK) for each in _PUBLIC.finditer(plain)] if _may_be_public(plain) else []
    cuts = [(cut.start(), cut.end(), _meaning(cut.group())) for cut in _CUT.finditer(plain)]
    return Reading(plain, _apart(public, cuts) if public else cuts)


def _narrow(text: str) -> str:
    """Read full-width signs as plain ones, character for character; a full stop of a sentence stays one."""
    inside = _WIDE_INSIDE.sub(lambda sign: chr(ord(sign.group()) - 0xFEE0), text)
    return _LONE_SURROGATE.sub("\ufffd", inside.translate(_WIDE))


def _may_be_public(text: str) -> bool:
    return "-----BEGIN " in text or ";base64," in text or " AAAA" in text


def _apart(whole: list[Edit], parts: list[Edit]) -> list[Edit]:
    """Join two lists of edits in order; a part inside a whole is dropped."""
    joined: list[Edit] = []
    for edit in sorted((*whole, *parts), key=lambda each: (each[0], -each[1])):
        if not joined or edit[0] >= joined[-1][1]:
            joined.append(edit)
    return joined


def _meaning(written: str) -> str:
    if written[0] == "[":
        return MASK
    if written[0] == "%":
        return chr(int(written[1:], 16))
    return unescape(written) if written[0] == "&" else ""
