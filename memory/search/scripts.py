"""The script that most letters of a text belong to. Pure."""

import re
from enum import Enum

LOOKED_AT = 200  # characters


class Script(Enum):
    """As far as search needs to tell scripts apart."""

    LATIN = re.compile("[a-z\u00c0-\u024f]", re.IGNORECASE)
    CYRILLIC = re.compile("[\u0400-\u052f]")
    UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0eff]")
    OTHER = re.compile(r"(?!)")


def script_of(text: str) -> Script:
    """Return the script of the beginning of a text; a character that is a word by itself counts for three."""
    beginning = text[:LOOKED_AT]
    counts = {script: len(script.value.findall(beginning)) for script in Script}
    counts[Script.UNSPACED] *= 3
    best = max(counts, key=lambda script: counts[script])
    return best if counts[best] else Script.OTHER
