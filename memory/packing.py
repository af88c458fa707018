"""Which of ranked records go into a budget of tokens. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

Why = Literal["larger_than_budget", "budget_used_up", "same_content"]


@dataclass(frozen=True, slots=True)
class Piece:
    """A candidate: the tokens that it would take in the pack, and what makes two candidates the same."""

    id: UUID
    tokens: int
    digest: str


@dataclass(frozen=True, slots=True)
class Left:
    """A piece that stayed out, its size, and why."""

    id: UUID
    tokens: int
    why: Why


@dataclass(frozen=True, slots=True)
class Filled:
    """What got in, in the order of the ranking, what did not, and the sum of what did."""

    taken: Sequence[Piece]
    left: Sequence[Left]
    used: int


def fill(pieces: Iterable[Piece], *, budget: int) -> Filled:
    """Take pieces best first as long as they fit; a smaller one further down may still fill a gap."""
    taken: list[Piece] = []
    left: list[Left] = []
    seen: set[str] = set()
    used = 0
    for piece in pieces:
        if why := _why_not(piece, seen, budget=budget, used=used):
            left.append(Left(piece.id, piece.tokens, why))
            continue
        taken.append(piece)
        seen.add(piece.digest)
        used += piece.tokens
    return Filled(taken, left, used)


def _why_not(piece: Piece, seen: set[str], *, budget: int, used: int) -> Why | None:
    if piece.digest in seen:
        return "same_content"
    if piece.tokens > budget:
        return "larger_than_budget"
    return "budget_used_up" if used + piece.tokens > budget else None
