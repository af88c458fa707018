"""What a text must hold before most detectors can find anything in it: one look that saves many.

Each line is what its detector cannot do without, never less: a text without marks gives it nothing.
"""

from __future__ import annotations

import re

import re2

from memory.redaction.detectors import headers, wrapped

_LETTERS = "[A-Za-z0-9_+/~.-]"
_LONE = "|".join(  # of 20 letters with a digit among them, 17 have it as the 1st, 5th, 9th, 13th or last
    f"{_LETTERS}{{{at}}}[0-9]{_LETTERS}{{{16 - at}}}" for at in range(0, 17, 4)
)
_MARKS = re2.compile(
    "|".join(
        f"(?:{mark})"
        for mark in (
            r"-----(?:BEGIN|END) |Private-Lines: |AGE-SECRET-KEY-",  # private_keys
            wrapped.BREAK.pattern,  # wrapped_secrets
            r"eyJ",  # web_tokens
            r"(?:AKIA|ASIA|ABIA|ACCA|AROA|AIDA)[A-Z0-9]{16}",  # cloud_ids
            r"://\S*@|(?i::(?:thin|oci):)",  # links_with_credentials
            headers.SCHEMES.pattern,  # authorization
            headers.COOKIES.pattern,  # cookies
            headers.LOGIN_FLAG.pattern,  # command_lines
            headers.COMMAND.pattern + r"[^\n]*-[pPwa]",  # command_lines
            _LONE,  # lone_tokens
        )
    )
)
_DIGEST = re.compile(
    r"(?i)(?:(?:sha-?\d{1,3}|md5|blake\d[a-z]?)[:-])?[0-9a-f]+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
)


def is_marked(text: str) -> bool:
    """Say whether detectors other than the library's, the names' and the decoding one could find anything.

    A digest or a UUID by itself, which is what hashes of sources and ids of records are, gives them nothing either.
    """
    return _MARKS.search(text) is not None and _DIGEST.fullmatch(text) is None
