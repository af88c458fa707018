"""The rule of statuses as a table: facts in, standing out."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

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
