"""One spelling for every way to write the same word, and its stem.

Pure. Stemming is Snowball's (PyStemmer): Russian for Cyrillic letters, English for Latin ones, none for others.
"""

import re
import unicodedata
from functools import lru_cache
from threading import local

import Stemmer

from memory.search.irregular import PLAIN_FORM

_ACCENTED = re.compile("[\u00c0-\u024f\u1e00-\u1eff]")
_LATIN = re.compile("[a-z]")
_CYRILLIC = re.compile("[\u0400-\u052f]")
_APOSTROPHES = re.compile("['\u2019\u02bc\uff07]")
_ENDING = re.compile(r"['\u2019\u02bc](?:s|m|re|ve|ll|d)$")
_threads = local()  # a stemmer keeps state and must not be shared


def normal(text: str) -> str:
    """Text with full-width, composed and compatibility forms made one; NUL and lone surrogates become spaces."""
    clean = text.encode("utf-8", "replace").decode("utf-8").replace("\0", " ")
    return unicodedata.normalize("NFKC", clean)


@lru_cache(maxsize=50_000)
def fold(word: str) -> str:
    """A word without case, apostrophes, the points of ё and the accents of Latin letters."""
    low = _ENDING.sub("", word.casefold())
    low = _APOSTROPHES.sub("", low).replace("\u0451", "\u0435")
    if _ACCENTED.search(low):
        low = _ACCENTED.sub(_plain_letter, low)
    return low or word.casefold()


def _plain_letter(match: re.Match[str]) -> str:
    return unicodedata.normalize("NFD", match.group())[0]


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """The stem of a folded word. Words with digits are identifiers and stay whole."""
    if not word.isalpha():
        return word
    if _CYRILLIC.search(word):
        return str(_stemmer("russian").stemWord(word))
    if _LATIN.search(word):
        return str(_stemmer("english").stemWord(PLAIN_FORM.get(word, word)))
    return word


def _stemmer(language: str) -> "Stemmer.Stemmer":
    known = _threads.__dict__
    if language not in known:
        known[language] = Stemmer.Stemmer(language, maxCacheSize=0)
    return known[language]
