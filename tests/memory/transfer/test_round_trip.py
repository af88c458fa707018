"""What is exported comes back as it was: texts, keys, times, versions, links, tombstones; and nothing extra."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from memory.models import Doubt, Record, Relation
from memory.protocol import shapes
from memory.queries.listing import one_record
from memory.transfer.identity import id_here
from orgs.caller import Caller
from orgs.roles import Permission, Visibility
from orgs.tenancy import acting_for
from tests.cast import Cast
from tests.factories import make_grants, make_project
from tests.memory.transfer.moving import exported, imported, of_type, stored
from tests.memory.writing import forget, found, remember, said

THEN = datetime(2024, 3, 1, 9, 30, 15, 123456, tzinfo=UTC)
TEXTS = [
    "порт стенда 8080; ключи у Дарьи",
    "预发布环境用 systemd 部署\n第二行",
    'a,b;"c"\t|d|\r\nsecond line\u2028third 🦘 \u202eright to left',
    "---\nid: not front matter\n---\n<script>alert(1)</script> {{7*7}} =1+1",
]


@pytest.fixture
def ada(cast: Cast, now: datetime) -> Caller:
    return cast.ada.by_key(now=now)


@pytest.fixture
def zoo(ada: Caller, now: datetime) -> dict[str, UUID]:
    """Keep everything that a project can hold."""

    def kept(name: str, content: str, *, day: int = 0, **fields: Any) -> UUID:
        ids[name] = remember(ada, content, now=THEN + timedelta(days=day), **fields).id
        return ids[name]

    ids: dict[str, UUID] = {}
    for number, text in enumerate(TEXTS):
        kept(f"text{number}", text, day=number, tags=["a", "ё"], session="run-1", metadata={"n": [1, {"ключ": None}]})
    for number, text in enumerate(["8080", "9090"]):
        kept(f"version{number}", text, day=number, fact_key="port", source_hash="sha256:" + f"{number}f" * 32)
    for number in range(3):
        kept(f"chain{number}", f"deploy by step {number}", day=number, fact_key="deploy")
        if number:
            names = {"node_id": str(ids[f"chain{number - 1}"]), "superseded_by": str(ids[f"chain{number}"])}
            said("supersede", ada, now=THEN + timedelta(days=number), **names)
    for visibility in Visibility:
        kept(visibility.value, f"seen by {visibility.value}", day=5, visibility=visibility.value, confidence=0.9)
    kept("gone", "what is forgotten", day=6)
    sources = [str(ids[name]) for name in ("text0", "version1", "chain2", "gone")]
    kept("summary", "сводка", day=7, derived_from=sources, content_kind="summary", depends_on=sources[:2])
    kept("expired", "freeze until Friday", day=7, valid_from=THEN.isoformat(), valid_until=now.isoformat())
    forget(ada, now=THEN + timedelta(days=8), memory_id=str(ids["gone"]), reason="больше не нужно")
    with acting_for(ada.organization_id):
        here = {"organization_id": ada.organization_id, "created_at": THEN + timedelta(days=9)}
        ends = {"origin_id": ids["text1"], "target_id": ids["text0"]}
        Relation.objects.create(**here, **ends, kind="fixes_issue", weight=0.7)
        Relation.objects.create(**here, **ends, kind="relates_to", weight=0.2, undone_at=THEN + timedelta(days=10))
        because = {"record_id": ids["text2"], "because_id": ids["text3"]}
        Doubt.objects.create(**here, **because, amount=0.3, refutes=True)
        Record.objects.filter(id=ids["text3"]).update(protected_at=THEN + timedelta(days=9), updated_at=now)
    return ids


@pytest.fixture
def empty(cast: Cast, now: datetime) -> Caller:
    """Return oz in an empty project of the same organization."""
    with acting_for(cast.organization.id):
        project = make_project(cast.organization, "voyager")
    return replace(cast.oz.signed_in(now=now), **_managing(project.id))


@pytest.fixture
def elsewhere(cast: Cast, now: datetime) -> Caller:
    """Return eve, who manages an empty project of another organization."""
    with acting_for(cast.elsewhere.id):
        project = make_project(cast.elsewhere, "voyager")
        make_grants([(cast.eve.member, project)], [Permission.MANAGE, Permission.WRITE])
    return replace(cast.eve.signed_in(now=now), **_managing(project.id))


def _managing(project_id: UUID) -> dict[str, Any]:
    return {"project_id": project_id, "projects": {project_id: frozenset(Permission)}}


def wiped(cast: Cast, lines: list[dict[str, Any]], now: datetime) -> Caller:
    """Return oz in the project of the lines, with nothing left in it."""
    with acting_for(cast.organization.id):
        Record.objects.filter(organization=cast.organization).delete()
    return replace(cast.oz.signed_in(now=now), **_managing(cast.project.id))


def told(rows: dict[str, list[dict[str, Any]]], *but: str) -> dict[str, list[dict[str, Any]]]:
    """Leave out what is made anew on import."""
    return {name: [{k: v for k, v in row.items() if k not in but} for row in some] for name, some in rows.items()}


def test_fc53_everything_comes_back_field_by_field(cast: Cast, ada: Caller, zoo: dict[str, UUID], now) -> None:
    before = stored(ada)
    lines = exported(ada, now=now)
    oz = wiped(cast, lines, now)
    report = imported(oz, lines, now=now)
    assert (report.ok, report.complete) == (True, True)
    assert (report.renamed, report.narrowed, report.links_left_out) == (0, 0, 0)
    after = stored(oz)
    made_anew = ("words", "scanned_with", "workspace_id")
    gone = [row for row in before["records"] if row["id"] == zoo["gone"]]
    gone[0].update(content="", key_id=None, tokens=None)
    assert told({"records": after["records"]}, *made_anew) == told({"records": before["records"]}, *made_anew)
    for name in ("successions", "derivations", "relations", "doubts"):
        assert told({name: after[name]}, "id") == told({name: before[name]}, "id")
    assert {r.id for r in found(ada, "systemd 部署", now=now)} >= {zoo["text1"]}


def test_fc53_statuses_are_equal_after_recomputation(cast: Cast, ada: Caller, zoo: dict[str, UUID], now) -> None:
    live = [id for name, id in zoo.items() if name != "gone"]

    def seen() -> list[dict[str, Any]]:
        return [one_record(ada, id, now=now).model_dump() for id in live]

    before = seen()
    lines = exported(ada, now=now)
    imported(wiped(cast, lines, now), lines, now=now)
    assert seen() == before
    assert {one["status"].value for one in before} == {"unverified", "stale", "conflict"}


@pytest.mark.parametrize("where", ["empty", "elsewhere"])
def test_fc53_taken_ids_are_mapped_and_links_follow(
    ada: Caller, zoo: dict[str, UUID], where: str, request: pytest.FixtureRequest, now: datetime
) -> None:
    there: Caller = request.getfixturevalue(where)
    lines = exported(ada, now=now, project="apollo")
    before = stored(ada)
    report = imported(there, lines, now=now)
    assert (report.ok, report.complete, report.renamed) == (True, True, len(zoo))
    new = {one.was: one.id for one in report.new_ids}
    assert new == {id: id_here(there.writes_in, id) for id in zoo.values()}
    after = stored(there)
    assert {row["id"] for row in after["records"]} == set(new.values())
    by_id = {row["id"]: row for row in after["records"]}
    assert by_id[new[zoo["summary"]]]["depends_on"] == [new[zoo["text0"]], new[zoo["version1"]]]
    for row in of_type(lines, "record"):
        here = by_id[new[UUID(row["id"])]]
        assert (here["content"], here["created_at"].isoformat()) == (
            row["content"],
            datetime.fromisoformat(row["created_at"]).isoformat(),
        )
    assert [row["new_id"] for row in after["successions"]] == [
        new[row["new_id"]] for row in sorted(before["successions"], key=lambda row: new[row["old_id"]])
    ]
    assert {(row["summary_id"], row["source_id"]) for row in after["derivations"]} == {
        (new[row["summary_id"]], new[row["source_id"]]) for row in before["derivations"]
    }
    assert stored(ada) == before


@pytest.mark.parametrize("where", ["empty", "elsewhere"])
def test_importing_twice_changes_nothing(
    ada: Caller, zoo: dict[str, UUID], where: str, request: pytest.FixtureRequest, now: datetime
) -> None:
    there: Caller = request.getfixturevalue(where)
    lines = exported(ada, now=now, project="apollo")
    imported(there, lines, now=now)
    before = stored(there)
    again = imported(there, lines, now=now + timedelta(days=1))
    assert stored(there) == before
    assert (again.ok, again.unchanged, again.differing, again.created.model_dump()) == (
        *(True, len(zoo), 0),
        shapes.Counts().model_dump(),
    )


def test_authors_departments_and_keys_that_are_unknown_are_replaced_and_nothing_is_widened(
    cast: Cast, ada: Caller, zoo: dict[str, UUID], elsewhere: Caller, now: datetime
) -> None:
    report = imported(elsewhere, exported(ada, now=now, project="apollo"), now=now)
    assert report.authors_replaced == [cast.ada.user.id]
    rows = stored(elsewhere)["records"]
    assert {row["author_id"] for row in rows} == {cast.eve.user.id}
    assert {(row["department_id"], row["key_id"]) for row in rows} == {(None, None)}
    new = {one.was: one.id for one in report.new_ids}
    seen = {row["id"]: row["visibility"] for row in rows}
    assert {v: seen[new[zoo[v]]] for v in ("author", "department", "project", "organization")} == {
        "author": "author",
        "department": "author",
        "project": "project",
        "organization": "organization",
    }
    assert report.narrowed == 1


def test_visibility_is_never_wider_than_the_importer_may_give(ada: Caller, zoo, empty: Caller, now) -> None:
    narrow = replace(empty, greatest_visibility=Visibility.DEPARTMENT)
    imported(narrow, exported(ada, now=now, project="apollo"), now=now)
    assert {row["visibility"] for row in stored(narrow)["records"]} <= {"author", "department"}


def test_fc53_only_visible_rows_are_in_it_for_each_kind_of_reader(cast: Cast, zoo: dict[str, UUID], now) -> None:
    sees = {
        "ada": {"author", "department", "project", "organization"},
        "ben": {"department", "project", "organization"},
        "cy": {"project", "organization"},
        "dot": {"organization"},
        "eve": set(),
    }
    for name, visible in sees.items():
        reader = cast.everybody[name].by_key(now=now)
        lines = exported(reader, now=now)
        ids = {line["id"] for line in of_type(lines, "record")}
        assert {v for v in Visibility if str(zoo[v.value]) in ids} == visible
        linked = {
            line[end]
            for line in lines
            for end in ("old", "new", "summary", "source", "origin", "target", "record", "because")
            if end in line and "content" not in line
        }
        assert linked <= ids | {line["id"] for line in of_type(lines, "tombstone")}
        header, *_, end = lines
        assert header["counts"] == end["counts"]
        assert end["counts"]["records"] == len(ids)
    assert "seen by author" not in str(exported(cast.ben.by_key(now=now), now=now))


def test_a_hidden_source_or_dependency_leaves_no_trace_in_an_export(cast: Cast, ada: Caller, now) -> None:
    draft = remember(ada, "a draft", now=now, visibility="author")
    shared = remember(ada, "shared", now=now)
    both = [str(draft.id), str(shared.id)]
    remember(ada, "sum", now=now, derived_from=both, depends_on=both)
    said("supersede", ada, now=now, node_id=str(shared.id), superseded_by=str(draft.id))
    assert str(draft.id) not in str(exported(cast.ben.by_key(now=now), now=now))
    assert str(draft.id) in str(exported(ada, now=now))


def test_tombstones_hold_no_text_and_go_to_those_who_may_bring_back(cast: Cast, ada: Caller, now) -> None:
    gone = remember(ada, "the sentence that is gone", now=now)
    summary = remember(ada, "sum", now=now, derived_from=[str(gone.id)])
    forget(ada, now=now, memory_id=str(gone.id), reason="wrong")
    lines = exported(ada, now=now)
    (tombstone,) = of_type(lines, "tombstone")
    assert (tombstone["id"], tombstone["reason"], tombstone["forgotten_by"]) == (
        str(gone.id),
        "wrong",
        str(ada.user_id),
    )
    assert "the sentence" not in str(lines)
    reader = replace(ada, projects={id: held - {Permission.FORGET} for id, held in ada.projects.items()})
    assert of_type(exported(reader, now=now), "tombstone") == []
    assert str(gone.id) not in str(exported(reader, now=now))
    oz = wiped(cast, lines, now)
    imported(oz, lines, now=now)
    restored = forget(ada, now=now, memory_id=str(gone.id), action="restore")
    assert restored.model_dump()["ok"] is False
    assert one_record(ada, summary.id, now=now).status.value == "stale"


def test_a_membership_of_the_author_keeps_a_draft_theirs(cast: Cast, ada: Caller, zoo, empty: Caller, now) -> None:
    report = imported(empty, exported(ada, now=now, project="apollo"), now=now)
    new = {one.was: one.id for one in report.new_ids}
    (draft,) = (row for row in stored(empty)["records"] if row["id"] == new[zoo["author"]])
    assert (draft["author_id"], draft["visibility"], report.authors_replaced) == (cast.ada.user.id, "author", [])
