"""Statuses as each caller sees them, over real records: what is hidden leaves no trace."""

from datetime import datetime, timedelta

import pytest

from memory.models import Errand, Succession
from memory.protocol.shapes import Forgotten, Restored
from orgs.errors import Unprocessable
from orgs.tenancy import acting_for
from tests.cast import Cast
from tests.memory.writing import checked, forget, found, remember

KEY = "deploy.staging.method"
HASH, OTHER_HASH = "sha256:" + "1f" * 32, "sha256:" + "2e" * 32


def status_of(caller, id, *, now, **inputs):
    (record,) = checked(caller, now=now, ids=[str(id)], **inputs).records
    return record.status.value, [reason.reason.value for reason in record.reasons]


@pytest.mark.parametrize(
    ("first", "second", "status"),
    [
        ({"content": "by systemd"}, {"content": "by compose"}, "conflict"),
        ({"content": "by systemd"}, {"content": "by systemd"}, "unverified"),
        ({"content": "by systemd"}, {"content": " by systemd\n"}, "unverified"),
        ({"content": "caf\u00e9"}, {"content": "cafe\u0301"}, "unverified"),
        (
            {"content": "by systemd", "source_hash": HASH},
            {"content": "by systemd", "source_hash": OTHER_HASH},
            "conflict",
        ),
        (
            {"content": "by systemd", "source_hash": HASH},
            {"content": "by systemd", "source_hash": HASH.upper()},
            "unverified",
        ),
        ({"content": "by systemd", "source_hash": HASH}, {"content": "by systemd"}, "unverified"),
        ({"content": "by systemd"}, {"content": "by compose", "fact_key": "deploy.prod.method"}, "unverified"),
        ({"content": "by systemd"}, {"content": "by compose", "workspace": "other"}, "unverified"),
        ({"content": "by systemd"}, {"content": "by compose", "fact_key": "Deploy.Staging.METHOD"}, "conflict"),
    ],
)
def test_versions_conflict_when_their_content_or_source_differs(cast: Cast, now, first, second, status) -> None:
    ada = cast.ada.by_key(now=now)
    older = remember(ada, **{"fact_key": KEY, **first}, now=now)
    newer = remember(ada, **{"fact_key": KEY, **second}, now=now)
    assert (status_of(ada, older.id, now=now)[0], newer.status.value) == (status, status)


def test_a_status_never_betrays_a_record_one_cannot_see(cast: Cast, now: datetime) -> None:
    shared = remember(cast.ben.by_key(now=now), "by systemd", now=now, fact_key=KEY)
    draft = remember(cast.ada.by_key(now=now), "by compose", now=now, fact_key=KEY, visibility="author")
    assert status_of(cast.ada.by_key(now=now), shared.id, now=now) == ("conflict", ["other_versions"])
    for name in ("ben", "cy", "hal", "oz"):
        reader = cast.everybody[name].by_key(now=now)
        assert status_of(reader, shared.id, now=now) == ("unverified", [])
        assert str(draft.id) not in str([record.as_json() for record in found(reader, "systemd", now=now)])


def test_a_conflict_lasts_until_the_surplus_version_is_forgotten(cast: Cast, now: datetime) -> None:
    ada = cast.ada.by_key(now=now)
    older = remember(ada, "by systemd", now=now, fact_key=KEY)
    newer = remember(ada, "by compose", now=now, fact_key=KEY)
    assert isinstance(forget(ada, now=now, memory_id=str(newer.id)), Forgotten)
    assert status_of(ada, older.id, now=now) == ("unverified", [])
    assert isinstance(forget(ada, now=now, memory_id=str(newer.id), action="restore"), Restored)
    assert status_of(ada, older.id, now=now) == ("conflict", ["other_versions"])


def test_the_newest_version_is_named_by_the_older_ones(cast: Cast, now: datetime) -> None:
    ada = cast.ada.by_key(now=now)
    older = remember(ada, "staging by systemd", now=now, fact_key=KEY)
    newer = remember(ada, "staging by compose", now=now + timedelta(seconds=1), fact_key=KEY)
    named = {record.id: record.newest_version_id for record in found(ada, "staging", now=now)}
    assert named == {older.id: newer.id, newer.id: None}


def test_a_summary_inherits_through_levels_only_what_its_reader_may_see(cast: Cast, now: datetime) -> None:
    ada, cy = cast.ada.by_key(now=now), cast.cy.by_key(now=now)
    fact = remember(ada, "by systemd", now=now, fact_key=KEY)
    week = remember(ada, "week", now=now, derived_from=[str(fact.id)])
    month = remember(ada, "month", now=now, derived_from=[str(week.id)])
    remember(ada, "by compose", now=now, fact_key=KEY, visibility="author")
    assert status_of(ada, month.id, now=now) == ("conflict", ["source_conflict"])
    assert status_of(cy, month.id, now=now) == ("unverified", [])


def test_fc15_forgetting_a_source_changes_its_summary_until_it_is_restored(cast: Cast, now) -> None:
    ada = cast.ada.by_key(now=now)
    keys = remember(ada, "ключи от стенда у Дарьи", now=now)
    hours = remember(ada, "стенд выключают в 20:00", now=now)
    summary = remember(ada, "итог: ключи, стенд до 20:00", now=now, derived_from=[str(keys.id), str(hours.id)])
    forget(ada, now=now, memory_id=str(keys.id))
    assert status_of(ada, summary.id, now=now) == ("stale", ["source_forgotten"])
    (shown,) = [r for r in found(ada, "итог стенд", now=now) if r.id == summary.id]
    assert (shown.derived_from, str(keys.id) in shown.as_json(), found(ada, "Дарьи", now=now)) == (
        [hours.id],
        False,
        [],
    )
    forget(ada, now=now, memory_id=str(keys.id), action="restore")
    assert status_of(ada, summary.id, now=now) == ("unverified", [])


@pytest.mark.parametrize(
    ("current", "status"),
    [
        (HASH, "unverified"),
        (HASH.upper(), "unverified"),
        (HASH.removeprefix("sha256:"), "unverified"),
        (OTHER_HASH, "stale"),
    ],
)
def test_fc38_validate_and_search_compare_hashes_alike(cast: Cast, now: datetime, current: str, status: str) -> None:
    ada = cast.ada.by_key(now=now)
    record = remember(ada, "staging by systemd", now=now, source_id="docs/deploy.md", source_hash=HASH)
    assert status_of(ada, record.id, now=now, current_source_hash=current)[0] == status
    assert [r.status.value for r in found(ada, "staging", now=now, current_source_hash=current)] == [status]
    by_map = checked(ada, now=now, current_source_hash={"docs/deploy.md": current, "docs/other.md": OTHER_HASH})
    assert by_map.stale_ids == ([record.id] if status == "stale" else [])


def test_a_record_is_stale_when_its_time_is_over(cast: Cast, now: datetime) -> None:
    ada = cast.ada.by_key(now=now)
    record = remember(ada, "freeze until Friday", now=now, valid_until=now.isoformat())
    assert status_of(ada, record.id, now=now) == ("stale", ["expired"])
    assert status_of(ada, record.id, now=now - timedelta(seconds=1)) == ("unverified", [])


def test_superseded_is_seen_by_those_who_see_the_successor(cast: Cast, now: datetime) -> None:
    ada, cy = cast.ada.by_key(now=now), cast.cy.by_key(now=now)
    old = remember(ada, "staging by systemd", now=now)
    new = remember(ada, "staging by compose", now=now, visibility="author")
    with acting_for(ada.organization_id):
        Succession.objects.create(organization_id=ada.organization_id, old_id=old.id, new_id=new.id, at=now)
    assert status_of(ada, old.id, now=now) == ("stale", ["superseded"])
    assert [r.id for r in found(ada, "systemd", now=now)] == []
    assert [(r.id, r.superseded_by) for r in found(ada, "systemd", now=now, include_superseded=True)] == [
        (old.id, new.id)
    ]
    assert status_of(cy, old.id, now=now) == ("unverified", [])
    assert [(r.id, r.superseded_by) for r in found(cy, "systemd", now=now)] == [(old.id, None)]


def test_fc35_what_was_forgotten_can_be_remembered_again(cast: Cast, now: datetime) -> None:
    ada = cast.ada.by_key(now=now)
    fields = {"fact_key": KEY, "source_hash": HASH}
    first = remember(ada, "by systemd", now=now, **fields)
    forget(ada, now=now, memory_id=str(first.id))
    second = remember(ada, "by systemd", now=now, **fields)
    assert (second.id != first.id, second.committed, second.status.value) == (True, True, "unverified")
    again = forget(ada, now=now, memory_id=str(first.id))
    assert again.model_dump()["ok"] is False
    forget(ada, now=now, memory_id=str(first.id), action="restore")
    assert status_of(ada, first.id, now=now) == ("unverified", [])


def test_fc34_a_restored_record_gets_the_work_that_was_let_be_while_it_was_forgotten(cast: Cast, now: datetime) -> None:
    ada = cast.ada.by_key(now=now)
    record = remember(ada, "by systemd", now=now)
    forget(ada, now=now, memory_id=str(record.id))
    with acting_for(ada.organization_id):
        Errand.objects.filter(organization_id=ada.organization_id).delete()
    forget(ada, now=now, memory_id=str(record.id), action="restore")
    with acting_for(ada.organization_id):
        promised = Errand.objects.filter(organization_id=ada.organization_id, record=record.id)
        assert set(promised.values_list("kind", flat=True)) == {"embed", "scan", "review"}


def test_hidden_sources_use_up_no_room_in_the_walk_down_to_what_is_seen(cast: Cast, now: datetime, monkeypatch) -> None:
    ada, cy = cast.ada.by_key(now=now), cast.cy.by_key(now=now)
    drafts = [str(remember(ada, f"draft {n}", now=now, visibility="author").id) for n in range(5)]
    tower = remember(ada, "tower", now=now, derived_from=drafts)
    fact = remember(ada, "by systemd", now=now, fact_key=KEY)
    remember(ada, "by compose", now=now, fact_key=KEY)
    week = remember(ada, "week", now=now, derived_from=[str(fact.id)])
    monkeypatch.setattr("memory.standing.MOST_EDGES", 1)
    statuses = {r.id: r.status.value for r in checked(cy, now=now, ids=[str(tower.id), str(week.id)]).records}
    assert statuses == {tower.id: "unverified", week.id: "conflict"}


def test_too_many_sources_to_judge_are_said_to_be_too_many_and_never_judged_by_some(cast, now, monkeypatch) -> None:
    ada = cast.ada.by_key(now=now)
    facts = [str(remember(ada, f"fact {n}", now=now).id) for n in range(3)]
    summary = remember(ada, "all of it", now=now, derived_from=facts)
    monkeypatch.setattr("memory.standing.MOST_EDGES", 2)
    with pytest.raises(Unprocessable, match="too many"):
        checked(ada, now=now, ids=[str(summary.id)])
