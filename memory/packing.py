"""Which of ranked texts go into a budget of tokens. Pure."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

Why = Literal["larger_than_budget", "budget_used_up", "same_content"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A candidate: what it would look like in the pack, and what makes two candidates the same."""

    id: UUID
    text: str
    digest: str


@dataclass(frozen=True, slots=True)
class Sized:
    """A piece and its size in tokens."""

    piece: Piece
    tokens: int


@dataclass(frozen=True, slots=True)
class Left:
    """A piece that stayed out, its size, and why."""

    id: UUID
    tokens: int
    why: Why


@dataclass(frozen=True, slots=True)
class Filled:
    """What got in, in the order of the ranking, what did not, and the sum of what did."""

    taken: Sequence[Sized]
    left: Sequence[Left]
    used: int


def fill(pieces: Iterable[Piece], *, budget: int, count: Callable[[str], int]) -> Filled:
    """Take pieces best first as long as they fit; a smaller one further down may still fill a gap."""
    taken: list[Sized] = []
    left: list[Left] = []
    seen: set[str] = set()
    used = 0
    for piece in pieces:
        tokens = count(piece.text)
        if why := _why_not(piece, tokens, seen, budget=budget, used=used):
            left.append(Left(piece.id, tokens, why))
            continue
        taken.append(Sized(piece, tokens))
        seen.add(piece.digest)
        used += tokens
    return Filled(taken, left, used)


def _why_not(piece: Piece, tokens: int, seen: set[str], *, budget: int, used: int) -> Why | None:
    if piece.digest in seen:
        return "same_content"
    if tokens > budget:
        return "larger_than_budget"
    return "budget_used_up" if used + tokens > budget else None
