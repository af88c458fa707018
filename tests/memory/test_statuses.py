"""The rule of statuses as a table: facts in, standing out."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.protocol.vocabulary import Reason, Status
from memory.statuses import MOST_IDS, Facts, Ground, SourceNow, Standing, standings

NOW = datetime(2026, 3, 1, tzinfo=UTC)
A, B, C, D, E = (UUID(int=n) for n in range(1, 6))
OLD, NEW = "sha256:" + "1" * 64, "sha256:" + "2" * 64


def facts(id: UUID = A, **known: Any) -> Facts:
    return Facts(**{"id": id, "source_id": "docs/a.md", "source_digest": OLD, **known})


def of(*records: Facts, source_now: SourceNow | None = None) -> dict[UUID, Standing]:
    return standings({record.id: record for record in records}, now=NOW, source_now=source_now or SourceNow())


@pytest.mark.parametrize(
    ("known", "source_now", "status", "reasons"),
    [
        ({}, None, Status.UNVERIFIED, []),
        ({}, SourceNow(OLD), Status.UNVERIFIED, []),
        ({}, SourceNow(NEW), Status.STALE, [Reason.SOURCE_CHANGED]),
        ({}, SourceNow(by_source={"docs/a.md": NEW}), Status.STALE, [Reason.SOURCE_CHANGED]),
        ({}, SourceNow(by_source={"docs/b.md": NEW}), Status.UNVERIFIED, []),
        ({"source_digest": ""}, SourceNow(NEW), Status.UNVERIFIED, []),
        ({"refuted_by": [B]}, None, Status.STALE, [Reason.REFUTED]),
        ({"superseded_by": B}, None, Status.STALE, [Reason.SUPERSEDED]),
        ({"valid_until": NOW}, None, Status.STALE, [Reason.EXPIRED]),
        ({"valid_until": NOW + timedelta(microseconds=1)}, None, Status.UNVERIFIED, []),
        ({"rivals": [B]}, None, Status.CONFLICT, [Reason.OTHER_VERSIONS]),
        (
            {"valid_until": NOW, "rivals": [B]},
            SourceNow(NEW),
            Status.CONFLICT,
            [Reason.OTHER_VERSIONS, Reason.SOURCE_CHANGED, Reason.EXPIRED],
        ),
    ],
)
def test_the_worst_that_applies_wins(
    known: dict[str, Any], source_now: SourceNow | None, status: Status, reasons: list[Reason]
) -> None:
    standing = of(facts(**known), source_now=source_now)[A]
    assert (standing.status, [ground.reason for ground in standing.grounds]) == (status, reasons)


def test_a_summary_takes_the_worst_status_of_its_sources_through_any_number_of_levels() -> None:
    levels = [facts(UUID(int=n), sources=[UUID(int=n + 1)]) for n in range(1, 3000)]
    bottom = facts(UUID(int=3000), rivals=[UUID(int=9999)])
    assert of(*levels, bottom)[A].status is Status.CONFLICT


def test_a_summary_names_the_sources_that_trouble_it() -> None:
    standing = of(facts(A, sources=[B, C, D]), facts(B), facts(C, valid_until=NOW), facts(D, rivals=[E]))[A]
    assert standing == Standing(
        Status.CONFLICT, (Ground(Reason.SOURCE_CONFLICT, (D,), 1), Ground(Reason.SOURCE_STALE, (C,), 1))
    )


def test_fc15_a_forgotten_source_makes_its_summary_stale_and_is_counted_but_not_named() -> None:
    standing = of(facts(A, sources=[B, C]), facts(B, forgotten=True), facts(C))[A]
    assert standing == Standing(Status.STALE, (Ground(Reason.SOURCE_FORGOTTEN, (), 1),))


def test_a_source_the_caller_may_not_see_is_not_among_the_facts_and_changes_nothing() -> None:
    assert of(facts(A, sources=[B]))[A] == Standing(Status.UNVERIFIED)


def test_a_cycle_of_sources_ends() -> None:
    standing = of(facts(A, sources=[B]), facts(B, sources=[A], rivals=[C]))
    assert standing[A].status is Status.CONFLICT


def test_many_rivals_are_counted_whole_and_named_in_part() -> None:
    rivals = [UUID(int=n) for n in range(100, 200)]
    (ground,) = of(facts(rivals=rivals))[A].grounds
    assert ground == Ground(Reason.OTHER_VERSIONS, tuple(rivals[:MOST_IDS]), 100)


# --- for any records at all ------------------------------------------------------------------------

OWN = st.fixed_dictionaries(
    {},
    optional={
        "rivals": st.lists(st.just(E), max_size=2),
        "refuted_by": st.lists(st.just(E), max_size=1),
        "superseded_by": st.sampled_from([None, E]),
        "valid_until": st.sampled_from([None, NOW, NOW + timedelta(days=1)]),
        "source_digest": st.sampled_from(["", OLD, NEW]),
        "forgotten": st.booleans(),
    },
)


@st.composite
def memories(draw: st.DrawFn) -> list[Facts]:
    """Make records of which each may be built from those behind it, in any order."""
    number = draw(st.integers(1, 7))
    ids = [UUID(int=n) for n in range(100, 100 + number)]
    built = [
        facts(id, **draw(OWN), sources=draw(st.lists(st.sampled_from(ids[at + 1 :]), unique=True, max_size=3)))
        if ids[at + 1 :]
        else facts(id, **draw(OWN))
        for at, id in enumerate(ids)
    ]
    return draw(st.permutations(built))


def worst(record: Facts, known: dict[UUID, Facts], now: SourceNow) -> Status:
    """Say the rule once more, as a sentence: its own trouble, or that of what it was built from, whichever is worse."""
    if record.rivals:
        return Status.CONFLICT
    below = [known[id] for id in record.sources]
    inherited = {worst(source, known, now) for source in below}
    if Status.CONFLICT in inherited:
        return Status.CONFLICT
    changed = record.source_digest not in ("", now.digest) and bool(now.digest)
    ended = record.valid_until is not None and record.valid_until <= NOW
    stale = changed or ended or bool(record.refuted_by) or record.superseded_by is not None
    return Status.STALE if stale or Status.STALE in inherited or any(s.forgotten for s in below) else Status.UNVERIFIED


@settings(max_examples=200, deadline=None, derandomize=True)
@given(memories(), st.sampled_from([SourceNow(), SourceNow(OLD), SourceNow(NEW)]))
def test_a_status_is_the_worst_of_a_record_and_of_all_that_it_was_built_from(told: list[Facts], now: SourceNow) -> None:
    known = {record.id: record for record in told}
    standing = of(*told, source_now=now)
    assert {id: one.status for id, one in standing.items()} == {id: worst(known[id], known, now) for id in known}
    for one in standing.values():
        gravities = [ground.reason.status.gravity for ground in one.grounds]
        assert gravities == sorted(gravities, reverse=True)
        assert all(len(ground.ids) <= ground.count or ground.count == 0 for ground in one.grounds)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(memories(), st.data())
def test_what_a_record_was_not_built_from_changes_nothing_about_it(told: list[Facts], data: st.DataObject) -> None:
    known = {record.id: record for record in told}
    chosen = data.draw(st.sampled_from(told))
    needed, waiting = {chosen.id}, [chosen]
    while waiting:
        further = [known[id] for id in waiting.pop().sources if id not in needed]
        needed |= {record.id for record in further}
        waiting += further
    alone = of(*(record for record in told if record.id in needed))
    assert alone[chosen.id] == of(*told)[chosen.id]
