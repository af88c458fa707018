"""Text into the words it is looked up by: one analysis for what is stored and for what is asked.

Pure: no framework, no database. What is stored becomes the text of a PostgreSQL ``tsvector`` and a question becomes
units of a ``tsquery``, both quoted here, so that nothing a person writes is ever read as an operator.

A word is folded (NFKC, case, ``ё`` to ``е``, accents off Latin letters) and cut to its stem in English or Russian.
Scripts written without spaces become pairs of neighbouring characters. What engineers write (``max_retry``,
``infra/app-staging/main.yml``, ``v1.2.3``, ``--dry-run``, ``C#``) becomes its pieces at neighbouring positions, the
pieces written together, and the decorated form, so that it is found by its parts and by other spellings.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from itertools import pairwise

from memory.search import dates, rules
from memory.search.folding import fold, stem
from memory.search.scanning import Compound, Run, Symbols, scan
from memory.search.stopwords import ASKING, without_questions

READ_AT_MOST = 200_000  # characters of one field; the rest is stored but not looked up
WORDS_AT_MOST = 12_000  # distinct words of a record: at 64 characters each they stay under tsvector's megabyte
LAST_POSITION = 16_383  # tsvector's own limit
POSITIONS_AT_MOST = 64  # of one word; tsvector's own limit is 256
LONGEST = 64  # characters; longer words are kept and looked for by their beginning
UNITS_AT_MOST = 48  # of one question
PREFIX_FROM = 6  # characters of a hash that are enough to look for its beginning
LONG_FROM = 24  # characters from which a single word is looked for by its beginning

UNSAID = "owner"  # the source of a record that names none
FIELD_WEIGHTS = {
    "fact_key": "A",
    "source_id": "B",
    "tags": "B",
    "source": "C",
    "session": "C",
    "content": "D",
}


@dataclass(frozen=True, slots=True)
class Unit:
    """One thing to look for, in any of several spellings; a spelling is one word or several in a row."""

    spellings: tuple[tuple[str, ...], ...]
    prefix: bool = False

    @property
    def tsquery(self) -> str:
        """The unit as the text of a tsquery."""
        ending = ":*" if self.prefix else ""
        rows = [" <-> ".join(quote(word) + ending for word in words) for words in self.spellings]
        return rows[0] if len(rows) == 1 and len(self.spellings[0]) == 1 else "(" + " | ".join(rows) + ")"


@dataclass(frozen=True, slots=True)
class Question:
    """What a question looks for. `literal` is true when it is nothing but identifiers or signs.

    `rule` is true of a request; the last unit then is not looked for, but raises what has it (see ranking.py).
    """

    units: tuple[Unit, ...]
    literal: bool
    rule: bool = False

    @property
    def sought(self) -> tuple[Unit, ...]:
        """The units that bring a record in."""
        return self.units[:-1] if self.rule else self.units

    @property
    def tsquery(self) -> str:
        """Any of what is sought, as the text of a tsquery; empty when there is nothing to look for."""
        return " | ".join(unit.tsquery for unit in self.sought)


# ---------------------------------------------------------------- what is stored


def document(
    content: str,
    *,
    fact_key: str | None = None,
    source_id: str | None = None,
    tags: Iterable[str] = (),
    source: str | None = None,
    session: str | None = None,
    observed_at: datetime | None = None,
) -> str:
    """The search document of a record, as the text of a tsvector."""
    fields = {"fact_key": fact_key, "source_id": source_id, "tags": " ".join(tags)}
    said = {"source": None if source == UNSAID else source, "session": session, "content": content}
    return tsvector({**fields, **said}, observed_on=observed_at.date().isoformat() if observed_at else None)


def tsvector(fields: Mapping[str, str | None], *, observed_on: str | None = None) -> str:
    """The words of a record as the text of a tsvector, weighted by the field they stand in.

    `observed_on` is the ISO date on which it was said. Longer texts are cut by the limits above, from the end.
    """
    words: dict[str, list[str]] = {}
    position = 0
    for name, weight in FIELD_WEIGHTS.items():
        text = fields.get(name)
        if not text:
            continue
        for word, step in words_of(text):
            position = min(position + step, LAST_POSITION)
            _note(words, word, f"{max(position, 1)}{weight if weight != 'D' else ''}")
        position = min(position + 2, LAST_POSITION)  # words of two fields are not neighbours
    for word in dates.words_of_day(observed_on) if observed_on else ():
        _note(words, word, f"{max(position, 1)}C")
    return " ".join(f"{quote(word)}:{','.join(places)}" for word, places in words.items())


def _note(words: dict[str, list[str]], word: str, place: str) -> None:
    places = words.get(word)
    if places is None:
        if len(words) < WORDS_AT_MOST:
            words[word] = [place]
    elif len(places) < POSITIONS_AT_MOST and places[-1] != place:
        places.append(place)


def words_of(text: str) -> Iterator[tuple[str, int]]:
    """Every word of a text with its distance from the one before: 0 for another form of the same word."""
    signs: set[str] = set()
    for token in scan(text[:READ_AT_MOST]):
        match token:
            case Run(characters):
                yield from _pairs_of(characters)
            case Compound():
                yield from _forms_of(token)
                signs.update(token.signs)
            case Symbols(characters):
                signs.update(characters)
    yield from ((word, 0) for word in dates.words_of_text(text[:READ_AT_MOST]))
    yield from ((sign, 0) for sign in sorted(signs))


def _pairs_of(characters: str) -> Iterator[tuple[str, int]]:
    for i in range(len(characters) - 1):
        yield characters[i : i + 2], 1
    yield characters[-1], 1  # begins no pair, so a question of one character finds it by itself


def _forms_of(compound: Compound) -> Iterator[tuple[str, int]]:
    for segment in compound.segments:
        for place, piece in enumerate(segment):
            yield from ((form, int(i == 0)) for i, form in enumerate(forms(piece)))
            if place == 0 and len(segment) > 1:
                yield together(segment), 0
    if compound.decorated:
        yield compound.decorated[:LONGEST], 0


def forms(piece: str) -> tuple[str, ...]:
    """The words one piece is found by: its stem; of a number also without ``v`` and leading zeros."""
    word = fold(piece)
    number = word[1:] if word[0] == "v" and word[1:].isdigit() else word
    if number.isdigit():
        return tuple(dict.fromkeys((word[:LONGEST], (number.lstrip("0") or "0")[:LONGEST])))
    return (stem(word)[:LONGEST],)


def together(segment: tuple[str, ...]) -> str:
    """The pieces of an identifier written as one word; numbers keep a point between them."""
    folded = [fold(piece) for piece in segment]
    if all(piece.removeprefix("v").isdigit() for piece in folded):
        return ".".join(piece.removeprefix("v") for piece in folded)[:LONGEST]
    return stem("".join(folded))[:LONGEST]


# ---------------------------------------------------------------- what is asked


def question(text: str) -> Question:
    """What a question looks for, as data: no character of it is an operator.

    Words that only ask (``what``, ``когда``, ``什么``) are left out unless there is nothing else.
    """
    tokens = list(scan(without_questions(text)))
    units: dict[Unit, None] = {}
    asking: dict[Unit, None] = {}
    for token in tokens:
        if isinstance(token, Run):
            units.update(dict.fromkeys(_units_of_run(token.characters)))
        elif isinstance(token, Compound):
            plain = token.plain and fold(token.text) in ASKING
            (asking if plain else units).update(dict.fromkeys(_units_of(token)))
    units.update(dict.fromkeys(Unit(((word,),)) for word in dates.words_asked(text)))
    chosen = list(units or asking) or _signs(tokens)
    named = all(isinstance(token, Symbols) or (isinstance(token, Compound) and token.identifier) for token in tokens)
    literal = bool(chosen) and named
    request = bool(chosen) and not literal and rules.is_request(text)
    sought = tuple(chosen[:UNITS_AT_MOST])
    return Question(units=(*sought, rule()) if request else sought, literal=literal, rule=request)


@cache
def rule() -> Unit:
    """The unit that records have which say how things are to be done."""
    return Unit(tuple(tuple(forms(word)[-1] for word in spelling.split()) for spelling in rules.SPELLINGS))


def _signs(tokens: list[Run | Compound | Symbols]) -> list[Unit]:
    signs = {token.characters for token in tokens if isinstance(token, Symbols)}
    return [Unit(((sign,),)) for sign in sorted(signs)]


def _units_of_run(characters: str) -> list[Unit]:
    if len(characters) == 1:
        return [Unit(((characters,),), prefix=True)]
    return [Unit(((characters[i : i + 2],),)) for i in range(len(characters) - 1)]


def _units_of(compound: Compound) -> list[Unit]:
    """A plain word by itself; of an identifier the whole, its neighbouring pieces, and the parts of a path."""
    units = [Unit(((compound.decorated[:LONGEST],),))] if compound.decorated else []
    for segment in compound.segments:
        units.extend(_units_of_segment(segment, natural=not compound.identifier))
    units.extend(Unit(((forms(one[-1])[-1], forms(two[0])[-1]),)) for one, two in pairwise(compound.segments))
    return units


def _units_of_segment(segment: tuple[str, ...], *, natural: bool) -> list[Unit]:
    if len(segment) == 1:
        return [_unit_of_piece(segment[0])]
    row = tuple(forms(piece)[-1] for piece in segment)
    units = [Unit(((together(segment),), row))]
    if len(row) > 2:
        units.extend(Unit((pair,)) for pair in pairwise(row))
    if natural:
        units.extend(_unit_of_piece(piece) for piece in segment if fold(piece) not in ASKING)
    return units


def _unit_of_piece(piece: str) -> Unit:
    word = fold(piece)
    if len(word) >= LONG_FROM or _like_a_hash(word):
        return Unit(((word[:LONGEST],),), prefix=True)
    return Unit(tuple((form,) for form in forms(piece)))


def _like_a_hash(word: str) -> bool:
    hexadecimal = len(word) >= PREFIX_FROM and not set(word) - set("0123456789abcdef")
    return hexadecimal and not word.isalpha() and not word.isdigit()


def quote(word: str) -> str:
    """A word as tsvector and tsquery take it: in quotes, with quotes and backslashes doubled."""
    return "'" + word.replace("\\", "\\\\").replace("'", "''") + "'"
