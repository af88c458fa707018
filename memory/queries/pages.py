"""Pages of rows by time and id, newest first: equal times never hide or repeat a row."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from django.db.models import Q, QuerySet

from memory.protocol.shapes import PageMeta
from memory.queries.cursors import Place, cursor_after, place_of

CHUNK = 200
MOST_EXAMINED = 2_000
"""So many rows are judged for one page; if too few of them pass, the page is short and its cursor leads on."""

Judge = Callable[[Sequence[Any]], Iterable[Any]]


class Asked(Protocol):
    """Which page is wanted."""

    @property
    def limit(self) -> int:
        """Return how many rows."""

    @property
    def cursor(self) -> str | None:
        """Return where the page before ended."""


@dataclass(frozen=True, slots=True)
class Page:
    """The rows of one page, and what is said of it."""

    rows: list[Any]
    meta: PageMeta


def page(
    rows: QuerySet[Any], asked: Asked, *, bound_to: str, judge: Judge | None = None, at: str = "created_at"
) -> Page:
    """Return one page of rows. Raises Invalid for a cursor that was not given out for `bound_to`.

    `judge` keeps, of some rows in order, those that pass a condition which no database can judge.
    """
    place = place_of(asked.cursor, asked=bound_to)
    size = CHUNK if judge else asked.limit + 1
    kept: list[Any] = []
    examined, more = 0, True
    while more and len(kept) <= asked.limit and examined < MOST_EXAMINED:
        some = list(_behind(rows, place, at=at).order_by(f"-{at}", "-id")[:size])
        kept += judge(some) if judge else some
        examined, more = examined + len(some), len(some) == size
        place = _place(some[-1], at=at) if some else place
    if len(kept) > asked.limit:
        kept, more = kept[: asked.limit], True
        place = _place(kept[-1], at=at)
    cursor = cursor_after(place, asked=bound_to) if more and place else None
    return Page(kept, PageMeta(count=len(kept), limit=asked.limit, next_cursor=cursor))


def _behind(rows: QuerySet[Any], place: Place | None, *, at: str) -> QuerySet[Any]:
    if place is None:
        return rows
    return rows.filter(**{f"{at}__lte": place.at}).exclude(Q(**{at: place.at, "id__gte": place.id}))


def _place(row: Any, *, at: str) -> Place:
    return Place(getattr(row, at).isoformat(), row.id)
