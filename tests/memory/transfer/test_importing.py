"""Files come from anywhere: read strictly, line by line, and never over what is here."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection

from memory.models import Errand, Record
from memory.transfer import importing, reporting
from memory.transfer.identity import id_here
from orgs.caller import Caller
from orgs.errors import Forbidden
from orgs.models import AuditEvent
from orgs.roles import Permission
from orgs.tenancy import acting_for
from tests.cast import Cast
from tests.memory.transfer.moving import Told, exported, imported, of_type, stored
from tests.memory.writing import forget, remember

SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2


@pytest.fixture
def oz(cast: Cast, now: datetime) -> Caller:
    return cast.oz.signed_in(now=now)


@pytest.fixture
def lines(oz: Caller, now: datetime) -> list[Told]:
    """Return an export of five records, of which nothing is left here."""
    for number in range(5):
        remember(oz, f"fact {number}", now=now + timedelta(milliseconds=number))
    told = exported(oz, now=now)
    with acting_for(oz.organization_id):
        Record.objects.filter(organization_id=oz.organization_id).delete()
    return told


def contents(caller: Caller) -> list[str]:
    return [row["content"] for row in stored(caller)["records"]]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"content": None}, "content"),
        ({"content": ""}, "content"),
        ({"content": 7}, "content"),
        ({"content": "a\0b"}, "content"),
        ({"id": "7"}, "id"),
        ({"confidence": 1.5}, "confidence"),
        ({"visibility": "everybody"}, "visibility"),
        ({"created_at": "yesterday"}, "created_at"),
        ({"created_at": "2999-01-01T00:00:00Z", "updated_at": "2999-01-01T00:00:00Z"}, "created_at"),
        ({"updated_at": "1999-01-01T00:00:00Z"}, "body"),
        ({"fact_key": "Not Canonical"}, "fact_key"),
        ({"fact_key": "archivist:x:y"}, "fact_key"),
        ({"workspace": "\u0007"}, "workspace"),
        ({"tags": ["x"] * 65}, "tags"),
        ({"metadata": {"deep": [[[[[[[[[[1]]]]]]]]]]}}, "metadata"),
        ({"organization": str(uuid4())}, "organization"),
        ({"type": "recrod"}, "type"),
        ({"type": None}, "type"),
        ({"type": "header"}, "id"),
    ],
)
def test_a_faulty_line_is_named_and_what_stands_before_it_is_in(oz, lines, now, change, field) -> None:
    broken = [*lines[:3], {**lines[3], **change}, *lines[4:]]
    report = imported(oz, broken, now=now)
    assert report.stopped_at is not None
    assert (report.ok, report.complete, report.lines, report.stopped_at.line) == (False, False, 3, 4)
    assert (report.stopped_at.field or "…").split(".")[0] in {field, "…"}
    assert contents(oz) == ["fact 0", "fact 1"]
    again = imported(oz, lines, now=now)
    assert (again.ok, again.complete, again.unchanged, again.created.records) == (True, True, 2, 3)
    assert contents(oz) == [f"fact {n}" for n in range(5)]


@pytest.mark.parametrize(
    "raw",
    [b"not json", b"[]", b"7", b'"text"', b"{}", b"\xff\xfe", b'{"type": "record"', b"[" * 5_000, b'{"type": 1e999}'],
)
def test_what_is_no_line_is_refused_with_its_number(oz: Caller, lines: list[Told], now, raw: bytes) -> None:
    report = imported(oz, [*lines[:2], raw], now=now)
    assert report.stopped_at is not None
    assert (report.stopped_at.line, contents(oz)) == (3, ["fact 0"])


def test_a_file_begins_with_its_header_and_ends_with_its_end(oz: Caller, lines: list[Told], now: datetime) -> None:
    for wrong, line in (([], 1), (lines[1:], 1), ([lines[0], lines[0]], 2), ([*lines, lines[1]], len(lines) + 1)):
        report = imported(oz, wrong, now=now)
        assert report.stopped_at is not None
        assert report.stopped_at.line == line
    cut_off = imported(oz, lines[:-1], now=now)
    assert (cut_off.ok, cut_off.complete) == (True, False)
    missing = imported(oz, [*lines[:2], *lines[3:]], now=now)
    assert (missing.ok, missing.complete) == (True, False)


@pytest.mark.parametrize("version", [2, "1", None])
def test_another_version_of_the_format_is_refused(oz: Caller, lines: list[Told], now, version: Any) -> None:
    report = imported(oz, [{**lines[0], "version": version}, *lines[1:]], now=now)
    assert (report.ok, contents(oz)) == (version is None, [] if version else [f"fact {n}" for n in range(5)])


def test_secrets_in_a_file_are_taken_out(oz: Caller, lines: list[Told], now: datetime) -> None:
    dirty = {**lines[1], "content": f"token {SECRET}", "metadata": {"password": "hunter2-Zebra!"}, "source_id": SECRET}
    report = imported(oz, [lines[0], dirty, *lines[2:]], now=now)
    assert (SECRET in str(stored(oz)), "Zebra" in str(stored(oz)), sum(report.redactions.values())) == (False, False, 3)
    again = imported(oz, [lines[0], dirty, *lines[2:]], now=now)
    assert (again.unchanged, again.differing) == (5, 0)


def test_what_is_here_and_says_something_else_is_reported_and_never_overwritten(oz, lines, now) -> None:
    imported(oz, lines, now=now)
    ids = [UUID(line["id"]) for line in of_type(lines, "record")]
    with acting_for(oz.organization_id):
        Record.objects.filter(id=ids[0]).update(fact_key="renamed")
    forget(oz, now=now + timedelta(seconds=1), memory_id=str(ids[1]))
    changed = {**lines[3], "content": "something else"}
    before = stored(oz)
    report = imported(oz, [*lines[:3], changed, *lines[4:]], now=now)
    assert [(one.line, one.id, one.fields) for one in report.differences] == [
        (2, ids[0], ["fact_key"]),
        (3, ids[1], ["forgotten"]),
        (4, ids[2], ["content"]),
    ]
    assert (report.differing, report.unchanged, stored(oz)) == (3, 2, before)


def test_fc26_an_id_that_is_hidden_here_is_treated_as_one_held_elsewhere(cast: Cast, oz, lines, now) -> None:
    draft = remember(cast.ada.by_key(now=now), "ada's draft", now=now, visibility="author")
    foreign = remember(cast.eve.by_key(now=now), "eve's fact", now=now)
    before = [row for row in stored(oz)["records"] if row["id"] == draft.id]
    for id in (draft.id, foreign.id):
        report = imported(oz, [lines[0], {**lines[1], "id": str(id)}], now=now)
        assert (report.ok, report.created.records, report.renamed, report.differing) == (True, 1, 1, 0)
        again = imported(oz, [lines[0], {**lines[1], "id": str(id)}], now=now)
        assert (again.unchanged, again.created.records, again.differing) == (1, 0, 0)
    assert [row for row in stored(oz)["records"] if row["id"] == draft.id] == before
    assert stored(cast.eve.by_key(now=now))["records"][0]["content"] == "eve's fact"


def test_a_record_whose_ids_are_all_taken_elsewhere_is_named_and_not_lost(cast: Cast, oz, lines, now) -> None:
    third = of_type(lines, "record")[2]
    with acting_for(cast.elsewhere.id):
        for id in (UUID(third["id"]), id_here(oz.writes_in, UUID(third["id"]))):
            remembered = remember(cast.eve.by_key(now=now), "eve's fact", now=now)
            Errand.objects.filter(record_id=remembered.id).delete()
            Record.objects.filter(id=remembered.id).update(id=id)
    report = imported(oz, lines, now=now)
    assert (report.ok, report.stopped_at and report.stopped_at.field) == (False, "id")
    assert (report.created.records, contents(oz)) == (2, ["fact 0", "fact 1"])


def test_links_bind_only_records_of_the_file_and_close_no_ring(cast: Cast, oz, lines, now) -> None:
    outside = remember(oz, "not of the file", now=now)
    one, other = (line["id"] for line in of_type(lines, "record")[:2])
    at = now.isoformat()
    links = [
        {"type": "succession", "old": one, "new": other, "at": at},
        {"type": "succession", "old": other, "new": one, "at": at},
        {"type": "succession", "old": str(outside.id), "new": one, "at": at},
        {"type": "succession", "old": one, "new": one, "at": at},
        {"type": "derivation", "summary": one, "source": other, "place": 0},
        {"type": "derivation", "summary": other, "source": one, "place": 0},
        {"type": "doubt", "record": str(outside.id), "because": one, "amount": 0.4, "refutes": True, "created_at": at},
        {
            "type": "relation",
            "origin": one,
            "target": str(uuid4()),
            "kind": "relates_to",
            "weight": 1,
            "created_at": at,
        },
    ]
    report = imported(oz, [*lines[:-1], *links], now=now)
    assert (report.ok, report.links_left_out) == (True, 6)
    assert (report.created.successions, report.created.derivations, report.created.doubts) == (1, 1, 0)


@pytest.mark.parametrize("change", [{"amount": 0.5}, {"amount": -1}, {"refutes": 1}, {"because": "x"}])
def test_a_doubt_is_bounded_as_the_archivists_own(oz: Caller, lines: list[Told], now, change: Told) -> None:
    one, other = (line["id"] for line in of_type(lines, "record")[:2])
    doubt = {"type": "doubt", "record": one, "because": other, "amount": 0.3, "refutes": False}
    told = {**doubt, "created_at": now.isoformat()}
    assert imported(oz, [*lines[:-1], told], now=now).created.doubts == 1
    assert imported(oz, [*lines[:-1], {**told, **change}], now=now).ok is False


def test_an_id_stands_in_a_file_once(oz: Caller, lines: list[Told], now: datetime) -> None:
    report = imported(oz, [*lines[:3], lines[1]], now=now)
    assert report.stopped_at is not None
    assert (report.stopped_at.line, report.stopped_at.field, len(contents(oz))) == (4, "id", 2)


def test_records_of_another_project_than_the_files_own_are_left_out(oz: Caller, lines, now: datetime) -> None:
    report = imported(oz, [*lines[:2], {**lines[2], "project": "gemini"}, *lines[3:]], now=now)
    assert (report.ok, report.records_left_out, len(contents(oz))) == (True, 1, 4)
    several = imported(oz, [{**lines[0], "project": None}, *lines[1:]], now=now)
    assert several.stopped_at is not None
    assert several.stopped_at.line == 1


def test_a_batch_is_whole_or_not_there(oz: Caller, lines: list[Told], now: datetime, monkeypatch) -> None:
    monkeypatch.setattr(importing, "BATCH", 2)
    report = imported(oz, [*lines[:4], {**lines[4], "content": ""}], now=now)
    assert (report.lines, contents(oz)) == (4, ["fact 0", "fact 1", "fact 2"])
    assert imported(oz, lines, now=now).complete
    with acting_for(oz.organization_id):
        noted = AuditEvent.objects.filter(organization_id=oz.organization_id, verb="import")
        assert [event.object_id for event in noted] == [str(oz.project_id)] * 3


def test_a_batch_that_the_database_gave_up_for_others_is_taken_in_anew(committed_cast, now, monkeypatch) -> None:
    oz, noted, given_up = committed_cast.oz.signed_in(now=now), importing._note, []

    def give_up_once(*told: Any, **more: Any) -> None:
        noted(*told, **more)
        if not given_up:
            given_up.append(1)
            with connection.cursor() as cursor:
                cursor.execute("DO $$ BEGIN RAISE SQLSTATE '40P01'; END $$")

    remember(oz, "fact", now=now)
    header, line, _ = exported(oz, now=now)
    monkeypatch.setattr(importing, "_note", give_up_once)
    report = imported(oz, [header, {**line, "id": str(uuid4())}], now=now)
    assert (report.ok, report.created.records, report.lines, given_up) == (True, 1, 2, [1])
    assert contents(oz) == ["fact"] * 2


def test_importing_needs_manage(cast: Cast, oz: Caller, lines: list[Told], now: datetime) -> None:
    for caller in (cast.ada.by_key(now=now), cast.oz.by_key(now=now), cast.ada.signed_in(now=now)):
        with pytest.raises(Forbidden):
            imported(caller, lines, now=now)
    held = {id: some - {Permission.MANAGE} for id, some in oz.projects.items()}
    with pytest.raises(Forbidden):
        imported(replace(oz, projects=held), lines, now=now)


def test_what_came_in_is_embedded_and_scanned_and_not_reviewed_anew(oz: Caller, lines: list[Told], now) -> None:
    imported(oz, lines, now=now)
    with acting_for(oz.organization_id):
        kinds = list(Errand.objects.filter(organization_id=oz.organization_id).values_list("kind", flat=True))
    assert sorted(kinds) == ["embed"] * 5 + ["scan"] * 5


def test_the_lists_of_a_report_are_bounded_and_its_counts_are_not(oz: Caller, lines, now, monkeypatch) -> None:
    monkeypatch.setattr(reporting, "MOST_LISTED", 2)
    imported(oz, lines, now=now)
    report = imported(oz, [line | ({"content": "x"} if "content" in line else {}) for line in lines], now=now)
    assert (report.differing, len(report.differences)) == (5, 2)
