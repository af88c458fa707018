"""An answer is said again only as long as what it tells is there, and the caller's to see; the effect stays one."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest
from django.db import connection

from memory import replays
from memory.effects import Effect
from memory.models import KeptName, Record, Replay
from memory.operations.protection import protect
from memory.operations.settling import settle
from memory.protocol import shapes
from memory.verbs import run
from orgs.caller import Caller
from orgs.errors import Forbidden, Refusal, Unknown, Unprocessable
from orgs.roles import Permission, Visibility
from orgs.tenancy import acting_for
from tests.cast import Cast
from tests.memory.writing import forget, remember

TEXT = "quokka by systemd"


@pytest.fixture
def ada(cast: Cast, now: datetime) -> Caller:
    return cast.ada.by_key(now=now)


def once(caller: Caller, *, now: datetime, verb: str = "remember", **inputs: Any) -> Any:
    return run(verb, caller, inputs or {"content": TEXT}, now=now, idempotency_key="k").answer


def kept(caller: Caller) -> str:
    with acting_for(caller.organization_id):
        return str(list(Replay.objects.filter(organization_id=caller.organization_id).values_list("answer", flat=True)))


def records(caller: Caller) -> int:
    with acting_for(caller.organization_id):
        return Record.objects.filter(organization_id=caller.organization_id, content=TEXT).count()


def _forgotten(ada: Caller, id: str, now: datetime) -> None:
    forget(ada, now=now, memory_id=id)


def _forgotten_by_source(ada: Caller, id: str, now: datetime) -> None:
    with acting_for(ada.organization_id):
        Record.objects.filter(organization_id=ada.organization_id, id=id).update(source_id="docs/deploy.md")
    forget(ada, now=now, source_id="docs/deploy.md")


def _settled_away(ada: Caller, id: str, now: datetime) -> None:
    with acting_for(ada.organization_id):
        Record.objects.filter(organization_id=ada.organization_id, id=id).update(fact_key="port")
    remember(ada, "quokka by compose", now=now, fact_key="port")
    settle(ada, {"fact_key": "port", "none": True, "reason": "both wrong"}, now=now)


@pytest.mark.parametrize("gone", [_forgotten, _forgotten_by_source, _settled_away])
def test_the_answer_about_a_forgotten_record_is_kept_no_longer(
    ada: Caller, now: datetime, gone: Callable[[Caller, str, datetime], None]
) -> None:
    gone(ada, str(once(ada, now=now).id), now)
    assert TEXT not in kept(ada)
    with pytest.raises(Unprocessable) as refused:
        once(ada, now=now)
    assert (refused.value.data, records(ada)) == ({"done": True}, 1)


def test_what_another_answer_tells_of_a_forgotten_record_goes_too(ada: Caller, now: datetime) -> None:
    record = remember(ada, TEXT, now=now, fact_key="port")
    once(ada, now=now, verb="write", content="9090", fact_key="port", on_conflict="defer")
    assert str(record.id) in kept(ada)
    forget(ada, now=now, memory_id=str(record.id))
    assert str(record.id) not in kept(ada)


def test_an_answer_that_was_under_way_when_its_record_went_is_not_said_again(ada: Caller, now: datetime) -> None:
    answer = once(ada, now=now)
    with acting_for(ada.organization_id):  # as a transaction that did not see the kept answer yet
        Record.objects.filter(organization_id=ada.organization_id, id=answer.id).update(forgotten_at=now)
    with pytest.raises(Unprocessable):
        once(ada, now=now)


def test_who_may_not_see_a_record_any_more_is_not_told_of_it_again(cast: Cast, ada: Caller, now: datetime) -> None:
    draft = remember(ada, TEXT, now=now, visibility="project")
    cy = cast.cy.by_key(now=now)
    other = remember(cy, "quokka by compose", now=now)
    told = {"node_id": str(other.id), "superseded_by": str(draft.id)}
    first = once(cy, now=now, verb="supersede", **told)
    assert once(cy, now=now, verb="supersede", **told) == first
    with acting_for(ada.organization_id):
        mine = Record.objects.filter(organization_id=ada.organization_id, id=draft.id)
        mine.update(visibility=Visibility.AUTHOR)
    with pytest.raises(Unprocessable) as hidden:
        once(cy, now=now, verb="supersede", **told)
    _forgotten(ada, str(draft.id), now)
    with pytest.raises(Unprocessable) as absent:
        once(cy, now=now, verb="supersede", **told)
    assert (hidden.value.detail, hidden.value.data) == (absent.value.detail, absent.value.data)


def test_a_forgetting_is_answered_again_as_it_was(ada: Caller, now: datetime) -> None:
    id = str(remember(ada, TEXT, now=now).id)
    first = once(ada, now=now, verb="forget", memory_id=id)
    assert isinstance(first, shapes.Forgotten)
    assert once(ada, now=now, verb="forget", memory_id=id) == first


def test_a_key_that_only_writes_hears_its_answer_again(ada: Caller, now: datetime) -> None:
    blind = replace(ada, projects=dict.fromkeys(ada.projects, frozenset({Permission.WRITE})), reads_organization=False)
    assert once(blind, now=now) == once(blind, now=now)


def _protected(caller: Caller, id: Any, now: datetime) -> Effect:
    return protect(caller, id, now=now, idempotency_key="k")


def _settled(caller: Caller, id: Any, now: datetime) -> Effect:
    return settle(caller, {"fact_key": "port", "keep": str(id)}, now=now, idempotency_key="k")


@pytest.mark.parametrize(("act", "refusal"), [(_protected, Unknown), (_settled, Forbidden)])
def test_a_permission_held_elsewhere_repeats_no_answer(
    cast: Cast, ada: Caller, now: datetime, act: Callable[..., Effect], refusal: type[Refusal]
) -> None:
    id = remember(ada, TEXT, now=now, fact_key="port").id
    remember(ada, "quokka by compose", now=now, fact_key="port")
    act(ada, id, now)
    assert act(ada, id, now).replayed
    view, all_of_it = frozenset({Permission.VIEW}), frozenset(Permission)
    elsewhere = replace(ada, projects={cast.project.id: view, cast.other_project.id: all_of_it})
    with pytest.raises(refusal):
        act(elsewhere, id, now)


def test_kept_answers_are_found_by_the_ids_that_they_name(ada: Caller, now: datetime) -> None:
    id = once(ada, now=now).id
    told = {"organization": ada.organization_id, "ids": [id]}
    with acting_for(ada.organization_id), connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute(f"EXPLAIN {replays._WITHDRAW}", told)
        plan = "\n".join(row for (row,) in cursor.fetchall())
    assert re.search(r"Index Cond: .*named = ANY", plan)


def test_names_go_with_the_answer_that_held_them(ada: Caller, now: datetime) -> None:
    once(ada, now=now)
    with acting_for(ada.organization_id):
        mine = KeptName.objects.filter(organization_id=ada.organization_id)
        assert mine.exists()
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM memory_replay WHERE organization_id = %s", [ada.organization_id])
        assert not mine.exists()


def test_the_names_of_an_answer_past_its_day_go_when_its_key_is_used_anew(ada: Caller, now: datetime) -> None:
    id = once(ada, now=now).id
    once(ada, now=now + replays.KEPT * 2)
    with acting_for(ada.organization_id):
        assert not KeptName.objects.filter(organization_id=ada.organization_id, named=id).exists()
