"""Many facts in one call: each is answered on its own."""

import json
from datetime import datetime
from typing import Any
from uuid import uuid4

import pytest

from memory.models import WritePolicy
from memory.operations.batches import remember_all
from memory.protocol.shapes import BatchAnswer
from orgs.caller import Caller
from orgs.errors import Forbidden, Invalid, Unprocessable
from orgs.roles import Permission
from orgs.tenancy import acting_for
from tests.cast import Cast
from tests.memory.operations.test_protection import without
from tests.memory.writing import found


@pytest.fixture
def ada(cast: Cast, now: datetime) -> Caller:
    return cast.ada.by_key(now=now)


def sent(caller: Caller, items: Any, *, now: datetime, key: str | None = None) -> BatchAnswer:
    answer = remember_all(caller, {"items": items}, now=now, idempotency_key=key).answer
    assert isinstance(answer, BatchAnswer)
    return answer


def test_one_failing_item_never_loses_another(ada: Caller, now: datetime) -> None:
    with acting_for(ada.organization_id):
        rules = [{"matches": "rumour", "then": "DEFER", "because": "hearsay"}]
        place = {"organization_id": ada.organization_id, "project_id": ada.project_id}
        WritePolicy.objects.create(**place, mode="open", rules=rules, updated_at=now)
    answer = sent(
        ada,
        [
            {"content": "wombats dig"},
            {"content": "  "},
            {"content": "a rumour"},
            {"content": "x", "contant": "y"},
            {"content": "sum", "derived_from": [str(uuid4())]},
            {"content": "quokkas smile", "workspace": "zoo"},
            {},
            {"content": 7},
        ],
        now=now,
    )
    forms = [one.form for one in answer.results]
    assert forms == [
        *("committed", "refused", "gate_short_circuit", "refused", "gate_hard_reject", "committed", "refused"),
        "refused",
    ]
    assert (answer.committed, answer.stopped, answer.refused) == (2, 2, 4)
    assert [one.index for one in answer.results] == list(range(8))
    fields = [one.problem.model_dump()["field"] for one in answer.results if one.problem]
    assert fields == ["content", "contant", "content", "content"]
    assert {r.content for r in found(ada, "wombats quokkas", now=now)} == {"wombats dig", "quokkas smile"}


def test_secrets_are_taken_out_and_counted_for_each_item(ada: Caller, now: datetime) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2
    answer = sent(
        ada, [{"content": "clean", "session": "run-2026-03-01-4f9c2e7a"}, {"content": f"token {token}"}], now=now
    )
    first, second = (one.answer or {} for one in answer.results)
    assert (first["redactions"], first["session"]) == ({}, "run-2026-03-01-4f9c2e7a")
    assert (sum(second["redactions"].values()), token in json.dumps(answer.model_dump(mode="json"))) == (1, False)


def test_one_key_stands_for_the_whole_batch(ada: Caller, now: datetime) -> None:
    items = [{"content": "wombats dig"}, {"content": ""}]
    first, again = (remember_all(ada, {"items": items}, now=now, idempotency_key="k") for _ in range(2))
    assert (first.answer, first.replayed, again.replayed) == (again.answer, False, True)
    assert len(found(ada, "wombats", now=now)) == 1
    with pytest.raises(Unprocessable):
        sent(ada, items[:1], now=now, key="k")


@pytest.mark.parametrize("items", [[], [{"content": "x"}] * 101, None, {"content": "x"}, ["x"], [[]], "x"])
def test_a_batch_holds_one_to_a_hundred_objects(ada: Caller, now: datetime, items: Any) -> None:
    with pytest.raises(Invalid):
        sent(ada, items, now=now)
    assert found(ada, "x", now=now) == []


def test_a_batch_needs_write(ada: Caller, now: datetime) -> None:
    with pytest.raises(Forbidden):
        sent(without(ada, Permission.WRITE), [{"content": "x"}], now=now)
