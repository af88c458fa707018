"""Gathers, through the caller's lens and in a fixed number of queries, the facts that statuses follow from."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.contrib.postgres.aggregates import ArrayAgg
from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import Exists, F, FloatField, Max, OuterRef, Subquery, Sum, Value
from django.db.models.functions import Coalesce, Left

from memory.findings import NOTHING, Findings, found_about
from memory.models import Doubt, Record
from memory.sources import differs
from memory.statuses import Facts, SourceNow, Standing, standings
from orgs.caller import Caller
from orgs.errors import Unprocessable

FactOf = tuple[UUID, str]  # workspace id, fact key

# Ids and numbers only, and none of them leaves this module before the lens has passed both of its ends. The walk down
# goes through the lens at every step: what is hidden can neither be walked through nor use up the room.
_SOURCES_AT_ANY_DEPTH = """
WITH RECURSIVE below(summary_id, source_id, place) AS (
    SELECT d.summary_id, d.source_id, d.place FROM memory_derivation d
    JOIN ({lens}) known ON known.id = d.source_id
    WHERE d.organization_id = %s AND d.summary_id = ANY(%s)
  UNION
    SELECT d.summary_id, d.source_id, d.place FROM below
    JOIN memory_derivation d ON d.summary_id = below.source_id AND d.organization_id = %s
    JOIN ({lens}) known ON known.id = d.source_id
)
SELECT summary_id, source_id, place FROM below LIMIT {most}
"""
MOST_EDGES = 100_000
_STATE = (
    *("id", "workspace_id", "fact_key", "source_id", "source_digest", "content_digest", "confidence"),
    *("forgotten_at", "valid_until"),
)
PREVIEW = 120  # characters

Row = Mapping[str, Any]
"""What a record says of itself: the columns of _STATE, and the beginning of its text as `preview`."""


@dataclass(frozen=True, slots=True)
class Seen:
    """How one record stands for one caller. `sources`: the visible live records it was built from."""

    standing: Standing
    confidence: float
    superseded_by: UUID | None
    supersedes: tuple[UUID, ...]
    newest_version_id: UUID | None
    sources: tuple[UUID, ...]


@dataclass(frozen=True, slots=True)
class _Version:
    """Equal live versions of one fact, newest id first."""

    content_digest: str
    source_digest: str
    ids: Sequence[UUID]
    newest_at: datetime


@dataclass(frozen=True, slots=True)
class _Below:
    edges: Mapping[UUID, list[UUID]]
    reached: list[UUID]


@dataclass(frozen=True, slots=True)
class Known:
    """What bears on some records: what was found out about them, and the rows that the caller may know of."""

    rows: Mapping[UUID, Row]
    findings: Findings
    below: _Below

    @property
    def live(self) -> set[UUID]:
        """Return the records among them that aren't forgotten."""
        return {id for id, row in self.rows.items() if row["forgotten_at"] is None}


def gather(ids: Iterable[UUID], caller: Caller, *, read: Iterable[Record] = ()) -> Known:
    """Collect what bears on these records; `read`: those whose rows came through the lens already.

    The findings come as they are; one look through the lens at both ends of each says which ones count. Two queries;
    four where there is a summary among them.
    """
    wanted = list(ids)
    findings = found_about(wanted, caller)
    below = _sources_below(wanted, caller) if findings.derivations else _Below({}, [])
    if below.reached:
        findings = found_about([*wanted, *below.reached], caller)
    rows = {record.id: _row(record) for record in read}
    missing = {*wanted, *below.reached, *findings.ends} - rows.keys()
    if missing:
        known = Record.objects.known_to(caller).with_ids(missing).values(*_STATE, preview=Left("content", PREVIEW))
        rows |= {row["id"]: row for row in known}
    return Known(rows, findings, below)


def newborn(record: Record) -> Known:
    """Return what bears on a record that was made in this transaction from no others: nobody knows of it yet."""
    return Known({record.id: _row(record)}, NOTHING, _Below({}, []))


def look(
    ids: Iterable[UUID],
    caller: Caller,
    *,
    now: datetime,
    source_now: SourceNow | None = None,
    known: Known | None = None,
) -> dict[UUID, Seen]:
    """Return how each record stands for the caller; ids the caller may not see are left out.

    One query more than `gather` takes.
    """
    wanted = list(ids)
    known = known or gather(wanted, caller)
    states = _states([*wanted, *known.below.reached], known)
    versions = _versions(states.values(), caller)
    facts = {id: _facts(state, states, known.below.edges, versions) for id, state in states.items()}
    standing = standings(facts, now=now, source_now=source_now or SourceNow())
    return {
        id: Seen(
            standing=standing[id],
            confidence=max(0.0, round(states[id]["confidence"] - states[id]["doubt"], 4)),
            superseded_by=facts[id].superseded_by,
            supersedes=tuple(states[id]["superseding"]),
            newest_version_id=_newest_but(id, versions.get(_fact_of(states[id]), [])),
            sources=tuple(s for s in facts[id].sources if not facts[s].forgotten),
        )
        for id in wanted
        if id in states
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """What a text that is no record yet would say about a fact; `instead_of`: the record that it would supersede."""

    workspace_id: UUID
    fact_key: str
    content_digest: str
    source_digest: str
    instead_of: UUID | None = None


def contradicted(claims: Sequence[Claim], caller: Caller) -> list[list[UUID]]:
    """Return, for each claim, the live versions that the caller sees saying something else, newest first. One query."""
    if not claims:
        return []
    said = [{name: getattr(claim, name) for name in _CLAIMED} for claim in claims]
    versions = _versions(said, caller)
    rivals = [_rivals(one, versions.get(_fact_of(one), [])) for one in said]
    return [[id for id in ids if id != claim.instead_of] for claim, ids in zip(claims, rivals, strict=True)]


_CLAIMED = ("workspace_id", "fact_key", "content_digest", "source_digest")


def with_confidence(caller: Caller) -> Any:
    """Return the expression of a record's confidence as the caller sees it, for filters."""
    return Coalesce(F("confidence") - _doubt(caller), Value(0.0))


def _sources_below(ids: list[UUID], caller: Caller) -> _Below:
    try:
        lens, seen = Record.objects.known_to(caller).order_by().values_list("id").query.sql_with_params()
    except EmptyResultSet:
        return _Below({}, [])
    walk = _SOURCES_AT_ANY_DEPTH.format(lens=lens, most=MOST_EDGES + 1)
    organization = caller.organization_id
    with connection.cursor() as cursor:
        cursor.execute(walk, [*seen, organization, ids, organization, *seen])
        rows = cursor.fetchall()
    if len(rows) > MOST_EDGES:
        raise Unprocessable("These summaries rest on too many records to judge at once; ask for fewer of them.")
    edges = defaultdict(list)
    for summary, source, _ in sorted(rows, key=lambda edge: edge[2]):
        edges[summary].append(source)
    return _Below(edges, [source for _, source, _ in rows])


def _row(record: Record) -> Row:
    return {name: getattr(record, name) for name in _STATE} | {"preview": record.content[:PREVIEW]}


def _states(ids: list[UUID], known: Known) -> dict[UUID, dict[str, Any]]:
    """Return, for the records the caller may know of, what their own rows say and what was found out about them."""
    live = known.live
    states = {id: {**known.rows[id], **_unfound()} for id in ids if id in known.rows}
    for record, because, amount, refutes in known.findings.doubts:
        if record in states and because in live:
            states[record]["doubt"] += amount
            states[record]["refuted_by"] += [because] if refutes else []
    for old, new in known.findings.successions:
        if old in states and new in live:
            states[old]["successor"] = states[old]["successor"] or new
        if new in states and old in live:
            states[new]["superseding"].append(old)
    return states


def _unfound() -> dict[str, Any]:
    return {"successor": None, "superseding": [], "refuted_by": [], "doubt": 0.0}


def _doubt(caller: Caller) -> Any:
    doubts = (
        Doubt.objects.filter(organization_id=caller.organization_id, record=OuterRef("id"), undone_at=None)
        .filter(Exists(Record.objects.visible_to(caller).filter(id=OuterRef("because_id"))))
        .order_by()
        .values("record")
        .annotate(total=Sum("amount"))
    )
    return Coalesce(Subquery(doubts.values("total"), output_field=FloatField()), Value(0.0))


def _versions(states: Iterable[Mapping[str, Any]], caller: Caller) -> dict[FactOf, list[_Version]]:
    """Return the live, current versions that the caller may see of every fact among `states`."""
    facts = {_fact_of(state) for state in states if state["fact_key"]}
    if not facts:
        return {}
    rows = (
        Record.objects.visible_to(caller)
        .current_for(caller)
        .filter(workspace_id__in={w for w, _ in facts}, fact_key__in={key for _, key in facts})
        .order_by()
        .values("workspace_id", "fact_key", "content_digest", "source_digest")
        .annotate(ids=ArrayAgg("id", order_by=["-created_at", "-id"]), newest_at=Max("created_at"))
    )
    versions: dict[FactOf, list[_Version]] = defaultdict(list)
    for row in rows:
        version = _Version(row["content_digest"], row["source_digest"], row["ids"], row["newest_at"])
        versions[row["workspace_id"], row["fact_key"] or ""].append(version)
    for known in versions.values():
        known.sort(key=lambda version: (version.newest_at, version.ids[0]), reverse=True)
    return versions


def _facts(
    state: Mapping[str, Any],
    states: Mapping[UUID, Mapping[str, Any]],
    edges: Mapping[UUID, list[UUID]],
    versions: Mapping[FactOf, list[_Version]],
) -> Facts:
    is_version = state["fact_key"] and not state["forgotten_at"] and not state["successor"]
    return Facts(
        id=state["id"],
        source_id=state["source_id"],
        source_digest=state["source_digest"],
        forgotten=state["forgotten_at"] is not None,
        superseded_by=state["successor"],
        refuted_by=state["refuted_by"],
        valid_until=state["valid_until"],
        rivals=_rivals(state, versions.get(_fact_of(state), [])) if is_version else (),
        sources=[source for source in edges.get(state["id"], []) if source in states],
    )


def _rivals(state: Mapping[str, Any], versions: list[_Version]) -> list[UUID]:
    return [
        id
        for version in versions
        if version.content_digest != state["content_digest"] or differs(version.source_digest, state["source_digest"])
        for id in version.ids
    ]


def _newest_but(id: UUID, versions: list[_Version]) -> UUID | None:
    newest = versions[0].ids[0] if versions else None
    return newest if newest != id else None


def _fact_of(state: Mapping[str, Any]) -> FactOf:
    return state["workspace_id"], state["fact_key"] or ""
