"""Private keys written out: PEM, OpenSSH, PGP, PuTTY, age. Certificates and public keys stay."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

import re2

from memory.redaction.finding import Finding

_EDGE = re2.compile(r"-----(?:BEGIN|END) [A-Z0-9 ]{0,32}PRIVATE KEY(?: BLOCK)?-----")
_BODY = re2.compile(
    r"(?:\\[nr]|[\s\"'+,>|#*]|[A-Za-z0-9+/=]{16,}|[A-Za-z-]{3,16}: [^\n]{0,128}\n)*(?:[A-Za-z0-9+/=]+)?"
)
_PUTTY = re2.compile(r"Private-Lines: \d{1,4}(?:\r?\n[A-Za-z0-9+/=]+)+")
_AGE = re2.compile(r"AGE-SECRET-KEY-[0-9A-Z-]{20,}")
_LEAST = 16  # characters of a body; a heading quoted alone is no key


def private_keys(text: str) -> Iterator[Finding]:
    """Yield each private key from its first line to its last, or as far as its body goes when it is cut off."""
    edges = [(edge.start(), edge.end(), "BEGIN" in edge.group()) for edge in _EDGE.finditer(text)]
    for (start, stop, opens), following in zip_longest(edges, edges[1:]):
        if not opens:
            continue
        if following is not None and not following[2]:
            end, body = following[1], following[0] - stop
        else:
            limit = following[0] if following else len(text)
            cut = _BODY.match(text[stop:limit])
            end = stop + (len(cut.group().rstrip()) if cut else 0)
            body = end - stop
        if body >= _LEAST:
            yield Finding("private-key", start, end)
    for form in (_PUTTY, _AGE):
        yield from (Finding("private-key", each.start(), each.end()) for each in form.finditer(text))
