"""Who sees a record: the table, on every way to read it, for keys and for signed-in members."""

from dataclasses import replace
from datetime import datetime

import pytest
from django.db import transaction
from uuid_utils.compat import uuid7

from memory.models import Record
from memory.protocol import shapes
from memory.queries import listing, overview
from memory.queries.conflicts import conflicts
from memory.transfer.exporting import export
from orgs.caller import Caller
from orgs.roles import Visibility
from orgs.tenancy import acting_for
from tests.cast import Cast
from tests.memory.writing import checked, found, remember, said

SEES = {
    "author": {"ada"},
    "department": {"ada", "ben", "hal"},
    "project": {"ada", "ben", "cy", "hal", "kit", "oz"},
    "organization": {"ada", "ben", "cy", "dot", "hal", "kit", "oz"},
}
READERS = ["ada", "ben", "cy", "dot", "eve", "hal", "kit", "oz"]


def ways_to_see(caller: Caller, id: str, *, now: datetime) -> dict[str, bool]:
    page, exporting = shapes.ListInputs(limit=100), shapes.ExportInputs()
    return {
        "records": id in {str(record.id) for record in listing.records(caller, page, now=now).results},
        "export": id.encode() in b"".join(export(caller, exporting, now=now)),
        "workspaces": overview.workspaces(caller, shapes.WorkspacesInputs()).results != [],
        "stats": overview.stats(caller, shapes.StatsInputs(), now=now).records == 1,
        "conflicts": _contradicted(caller, id, now=now),
        "read": said("read", caller, now=now, node_id=id).answer is not None,
        "pack": id in str(said("read", caller, now=now, query="quokka", budget_tokens=1_000).answer),
        "route": id in str(said("route", caller, now=now, intent="quokka").answer),
        "search": id in {str(record.id) for record in found(caller, "quokka", now=now)},
        "validate_memory": id in {str(record.id) for record in checked(caller, now=now, ids=[id]).records},
    }


def _contradicted(caller: Caller, id: str, *, now: datetime) -> bool:
    """Say whether the record is an option in a conflict with one that everybody sees; that one is gone afterwards."""
    with acting_for(caller.organization_id):
        savepoint = transaction.savepoint()
        for record in Record.objects.filter(id=id):
            record.id, record.content_digest, record.visibility = uuid7(), "0" * 64, Visibility.ORGANIZATION
            record.save(force_insert=True)
        found = conflicts(caller, shapes.ConflictInputs(), now=now).results
        transaction.savepoint_rollback(savepoint)
    return id in {str(option.id) for one in found for option in one.options}


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("visibility", SEES)
def test_fc46_every_way_of_reading_gives_the_same_set(cast: Cast, now: datetime, visibility: str, name: str) -> None:
    record = remember(cast.ada.by_key(now=now), "quokka", now=now, visibility=visibility, fact_key="zoo.quokka")
    person = cast.everybody[name]
    for caller in (person.by_key(now=now), person.signed_in(now=now)):
        seen = name in SEES[visibility]
        ways = ways_to_see(caller, str(record.id), now=now)
        assert ways == dict.fromkeys(ways, seen)


def test_a_key_without_organization_wide_reading_stays_in_its_project(cast: Cast, now: datetime) -> None:
    record = remember(cast.ada.by_key(now=now), "quokka", now=now, visibility="organization")
    dot = cast.dot.by_key(now=now)
    assert [r.id for r in found(dot, "quokka", now=now)] == [record.id]
    assert found(replace(dot, reads_organization=False), "quokka", now=now) == []


def test_a_key_of_some_workspaces_sees_nothing_outside_them(cast: Cast, now: datetime) -> None:
    ada = cast.ada.by_key(now=now)
    inside = remember(ada, "quokka inside", now=now, workspace="infra")
    remember(ada, "quokka outside", now=now, workspace="billing", visibility="organization")
    narrow = replace(ada, every_workspace=False, workspaces=frozenset({"infra"}))
    assert [r.id for r in found(narrow, "quokka", now=now)] == [inside.id]


@pytest.mark.parametrize(
    "filters",
    [{"visibility": "author"}, {"workspace": "*"}, {"scope": "private"}, {"include_superseded": True}],
)
def test_fc46_a_filter_narrows_and_never_widens(cast: Cast, now: datetime, filters: dict[str, object]) -> None:
    remember(cast.ada.by_key(now=now), "quokka", now=now, visibility="author", scope="private")
    assert found(cast.ben.by_key(now=now), "quokka", now=now, **filters) == []


def test_a_scope_hides_nothing(cast: Cast, now: datetime) -> None:
    remember(cast.ada.by_key(now=now), "quokka", now=now, scope="private")
    assert len(found(cast.cy.by_key(now=now), "quokka", now=now)) == 1


def test_one_key_never_sees_drafts_of_the_same_person_in_another_project(cast: Cast, now: datetime) -> None:
    remember(cast.oz.by_key(now=now), "quokka", now=now, visibility="author")
    other = replace(
        cast.oz.by_key(now=now),
        project_id=cast.other_project.id,
        projects={cast.other_project.id: cast.oz.by_key(now=now).projects[cast.project.id]},
    )
    assert found(other, "quokka", now=now) == []


def test_nobody_gives_a_record_more_visibility_than_they_may(cast: Cast, now: datetime) -> None:
    narrow = replace(cast.ada.by_key(now=now), greatest_visibility=Visibility.DEPARTMENT)
    with pytest.raises(Exception, match="at most") as refused:
        remember(narrow, "quokka", now=now, visibility="project")
    assert getattr(refused.value, "field", None) == "visibility"
    assert remember(narrow, "quokka", now=now).visibility is Visibility.DEPARTMENT
