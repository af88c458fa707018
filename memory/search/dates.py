"""Days and months written in any usual way, as words that compare equal: ``@2026-03-12``, ``@2026-03``, ``@03-12``.

Pure. Understands ``2026-03-12``, ``12 March 2026``, ``March 12th, 2026``, ``12 марта 2026``, ``2026年3月12日``, a month
with a year, and a day with a month. A month by itself is a plain word (``may`` is a verb more often than a month).
"""

import re
from collections.abc import Iterator

_ENGLISH = ("jan(?:uary)?", "feb(?:ruary)?", "mar(?:ch)?", "apr(?:il)?", "may", "june?", "july?", "aug(?:ust)?",
            "sept?(?:ember)?", "oct(?:ober)?", "nov(?:ember)?", "dec(?:ember)?")  # fmt: skip
_RUSSIAN = ("январ[ьяе]", "феврал[ьяе]", "март[ае]?", "апрел[ьяе]", "ма[йяе]", "июн[ьяе]", "июл[ьяе]", "август[ае]?",
            "сентябр[ьяе]", "октябр[ьяе]", "ноябр[ьяе]", "декабр[ьяе]")  # fmt: skip
_MONTH = "(" + "|".join(f"{one}|{two}" for one, two in zip(_ENGLISH, _RUSSIAN, strict=True)) + r")\b"
_NUMBERS = [re.compile(f"(?:{one}|{two})", re.IGNORECASE) for one, two in zip(_ENGLISH, _RUSSIAN, strict=True)]
_YEAR = r"((?:19|20)\d\d)(?!\d)"
_DAY = r"(?<!\d)([0-3]?\d)(?:st|nd|rd|th)?"
_PATTERNS = (
    (re.compile(r"(?<!\d)((?:19|20)\d\d)-([01]\d)(?:-([0-3]\d))?(?!\d)"), (0, 1, 2)),
    (re.compile(r"(?<!\d)((?:19|20)\d\d)\s?年(?:\s?(1?\d)\s?月)(?:\s?([0-3]?\d)\s?[日号])?"), (0, 1, 2)),
    (re.compile(rf"{_DAY}[\s\-](?:of )?{_MONTH}(?:,?[\s\-]+{_YEAR})?", re.IGNORECASE), (2, 1, 0)),
    (re.compile(rf"\b{_MONTH}\.?[\s\-]{_DAY}(?!\d)(?:,?[\s\-]+{_YEAR})?", re.IGNORECASE), (2, 0, 1)),
    (re.compile(rf"\b{_MONTH},?[\s\-]+{_YEAR}", re.IGNORECASE), (1, 0, None)),
)
_HINT = re.compile(r"\d")


def words_of_day(day: str) -> tuple[str, ...]:
    """The words of an ISO date."""
    year, month, number = day[:4], day[5:7], day[8:10]
    return (f"@{year}-{month}-{number}", f"@{year}-{month}", f"@{month}-{number}")


def words_of_text(text: str) -> tuple[str, ...]:
    """The words of every date in a text, each once."""
    return tuple(dict.fromkeys(word for parts in _found(text) for word in _words(*parts)))


def words_asked(text: str) -> tuple[str, ...]:
    """The words to look for when a question names a date: the day if it is given, and its month."""
    return words_of_text(text)


def _found(text: str) -> Iterator[tuple[str | None, str, str | None]]:
    if not _HINT.search(text):
        return
    for pattern, (year, month, day) in _PATTERNS:
        for match in pattern.finditer(text):
            groups = match.groups()
            number = _month(groups[month])
            if number:
                yield groups[year], number, None if day is None else groups[day]


def _month(written: str) -> str | None:
    if written.isdigit():
        return f"{int(written):02d}" if 1 <= int(written) <= 12 else None
    return next((f"{i:02d}" for i, name in enumerate(_NUMBERS, 1) if name.fullmatch(written)), None)


def _words(year: str | None, month: str, day: str | None) -> Iterator[str]:
    number = f"{int(day):02d}" if day and 1 <= int(day) <= 31 else None
    if year and number:
        yield f"@{year}-{month}-{number}"
    if number:
        yield f"@{month}-{number}"
    if year:
        yield f"@{year}-{month}"
