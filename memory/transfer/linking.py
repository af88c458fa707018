"""Links come in: between records of the file as they are here; no ring is closed, and what is there stays."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import connection

from memory.models import Derivation, Doubt, Relation, Succession
from memory.protocol.shapes import DerivationLine, DoubtLine, RelationLine, SuccessionLine
from memory.successions import give_way, leads_back
from memory.transfer.reading import Numbered
from memory.transfer.reporting import Report
from orgs.caller import Caller

_BUILT_ON = """
WITH RECURSIVE below(id) AS (
    SELECT %(source)s::uuid
  UNION
    SELECT d.source_id FROM memory_derivation d JOIN below ON d.summary_id = below.id
    WHERE d.organization_id = %(organization)s
)
SELECT EXISTS (SELECT FROM below WHERE id = %(summary)s)
"""


def link(caller: Caller, batch: Sequence[Numbered], report: Report, *, now: datetime) -> None:
    """Take in the links of a batch, in their order. Needs the organization's transaction, `alone` in the project."""
    for one in batch:
        kind = _KINDS[type(one.line)]
        report.seen[kind.name] += 1
        ends = [report.target(getattr(one.line, end)) for end in kind.ends]
        if None in ends or ends[0] == ends[1]:
            report.tally["links_left_out"] += 1
            continue
        _take_in(caller, one.line, kind, dict(zip(kind.ends, ends, strict=True)), report, now=now)


class _Kind:
    """A kind of links: its table, its ends, what else of a line is kept, and whether a link would close a ring."""

    def __init__(
        self,
        name: str,
        model: Any,
        ends: tuple[str, str],
        kept: tuple[str, ...],
        *,
        key: tuple[str, ...] = (),
        closes_ring: Callable[[Caller, Mapping[str, Any]], bool] = lambda _caller, _ends: False,
    ) -> None:
        self.name, self.model, self.ends, self.kept, self.key = name, model, ends, kept, key
        self.closes_ring = closes_ring


def _take_in(caller: Caller, line: Any, kind: _Kind, ends: Mapping[str, Any], report: Report, *, now: datetime) -> None:
    same = {f"{end}_id": id for end, id in ends.items()} | {name: getattr(line, name) for name in kind.key}
    rows = kind.model.objects.filter(organization_id=caller.organization_id, **same)
    if rows.exists():
        report.tally["links_unchanged"] += 1
    elif kind.closes_ring(caller, ends):
        report.tally["links_left_out"] += 1
    else:
        told = {name: getattr(line, name) for name in kind.kept}
        if isinstance(line, SuccessionLine) and line.undone_at is None:
            give_way(caller, ends["old"], ends["new"], now=now)
        kind.model.objects.create(organization_id=caller.organization_id, **same, **told)
        report.created[kind.name] += 1


def _succeeds_itself(caller: Caller, ends: Mapping[str, Any]) -> bool:
    return leads_back(caller, ends["old"], ends["new"])


def _is_built_on_itself(caller: Caller, ends: Mapping[str, Any]) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(_BUILT_ON, {"organization": caller.organization_id, **ends})
        return bool(cursor.fetchone()[0])


_KINDS: Mapping[type, _Kind] = {
    SuccessionLine: _Kind(
        *("successions", Succession, ("old", "new"), ("at", "undone_at")), closes_ring=_succeeds_itself
    ),
    DerivationLine: _Kind(
        *("derivations", Derivation, ("summary", "source"), ("place",)), closes_ring=_is_built_on_itself
    ),
    RelationLine: _Kind(
        *("relations", Relation, ("origin", "target"), ("weight", "created_at", "undone_at")), key=("kind",)
    ),
    DoubtLine: _Kind("doubts", Doubt, ("record", "because"), ("amount", "refutes", "created_at", "undone_at")),
}
