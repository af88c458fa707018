"""From bytes to typed lines, strictly, one at a time: whatever the length of a file, only one line is held."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Protocol

from pydantic_core import from_json

from memory.protocol.parsing import parse
from memory.protocol.shapes import (
    DerivationLine,
    DoubtLine,
    EndLine,
    HeaderLine,
    Inputs,
    RecordLine,
    RelationLine,
    SuccessionLine,
    TombstoneLine,
)
from orgs.errors import Invalid, Refusal, TooLarge

LONGEST_LINE = 8 * 1024 * 1024
LINES: Mapping[str, type[Inputs]] = MappingProxyType(
    {
        "header": HeaderLine,
        "record": RecordLine,
        "tombstone": TombstoneLine,
        "succession": SuccessionLine,
        "derivation": DerivationLine,
        "relation": RelationLine,
        "doubt": DoubtLine,
        "end": EndLine,
    }
)


class Stream(Protocol):
    """Bytes that come line by line: a request's body, or a file."""

    def readline(self, size: int, /) -> bytes:
        """Return the next line, or as much of it as `size` bytes."""


@dataclass(frozen=True, slots=True)
class Numbered:
    """A line, where it stands, counted from 1, and how many bytes it took."""

    number: int
    line: Any
    size: int


class Broken(Exception):
    """A line that could not be read or taken in, and why."""

    def __init__(self, number: int, refusal: Refusal) -> None:
        super().__init__(number)
        self.number, self.refusal = number, refusal


def lines(stream: Stream) -> Iterator[Numbered]:
    """Yield the lines, header first; blank ones are passed over. Raises Broken at the first that is not as declared."""
    number, begun, ended = 0, False, False
    while raw := stream.readline(LONGEST_LINE + 1):
        number += 1
        if not raw.strip():
            continue
        try:
            line = _line(raw)
            if ended or begun == isinstance(line, HeaderLine):
                raise Invalid("The header is the first line, and nothing follows the end.", field="type")
        except Refusal as refusal:
            raise Broken(number, refusal) from None
        begun, ended = True, isinstance(line, EndLine)
        yield Numbered(number, line, len(raw))
    if not begun:
        raise Broken(1, Invalid("The file is empty.", field="type"))


def _line(raw: bytes) -> Inputs:
    if len(raw) > LONGEST_LINE:
        raise TooLarge(f"A line may hold {LONGEST_LINE} bytes.", data={"limit_bytes": LONGEST_LINE})
    try:
        told = from_json(raw, allow_inf_nan=False)
    except ValueError:
        raise Invalid("The line is not one valid JSON value in UTF-8.") from None
    kind = told.get("type") if isinstance(told, dict) else None
    declared = LINES.get(kind) if isinstance(kind, str) else None
    if declared is None:
        raise Invalid(f"A line is an object whose type is one of {', '.join(LINES)}.", field="type")
    return parse(declared, told)
