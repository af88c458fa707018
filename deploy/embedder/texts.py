"""What a model may be given: the kind of a text, its language, and the text made harmless."""

import unicodedata
from dataclasses import dataclass
from enum import StrEnum

LONGEST = 2000  # characters; a model reads 512 tokens at most, and time grows with length
LONGEST_RAW = 4 * LONGEST  # normalising is linear too: cut before and after it


class Kind(StrEnum):
    """The two sides of a search."""

    QUERY = "query"
    PASSAGE = "passage"


class Language(StrEnum):
    """As far as the letters tell."""

    EN = "en"
    RU = "ru"
    ZH = "zh"


@dataclass(frozen=True, slots=True)
class Text:
    """A harmless text of at most LONGEST characters."""

    kind: Kind
    words: str

    @property
    def language(self) -> Language:
        """The language whose letters are most frequent; a Chinese character counts for three letters."""
        counts = {Language.EN: 0, Language.RU: 0, Language.ZH: 0}
        for letter in self.words:
            if "\u3400" <= letter <= "\u9fff":
                counts[Language.ZH] += 3
            elif "\u0400" <= letter <= "\u04ff":
                counts[Language.RU] += 1
            elif letter.isalpha():
                counts[Language.EN] += 1
        return max(counts, key=lambda language: counts[language])


def read(given: str) -> Text:
    """This will read the E5 prefix as the kind (a passage if there is none) and make the rest harmless."""
    for kind in Kind:
        if given.startswith(f"{kind}: "):
            return Text(kind, harmless(given[len(kind) + 2 :]))
    return Text(Kind.PASSAGE, harmless(given))


def harmless(given: str) -> str:
    """This will give the text as a model's native code can bear it.

    Compatibility forms overflow the heap of one model unless composed (NFKC), NUL would cut the text silently, and
    a lone surrogate has no bytes at all.
    """
    cut = given[:LONGEST_RAW].encode("utf-8", "replace").decode("utf-8").replace("\0", " ")
    return unicodedata.normalize("NFKC", cut)[:LONGEST].strip()
