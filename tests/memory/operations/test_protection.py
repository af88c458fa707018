"""Protection, and the return of what was superseded."""

from datetime import datetime
from uuid import uuid4

import pytest

from memory.models import Record, Succession
from memory.operations.protection import protect, unprotect
from memory.operations.reinstating import reinstated
from memory.protocol.shapes import Failed, Forgotten
from orgs.caller import Caller
from orgs.errors import Clash, Forbidden, Refusal, Unknown
from orgs.models import AuditEvent
from orgs.roles import Permission
from orgs.tenancy import acting_for
from tests.cast import Cast
from tests.memory.writing import forget, found, remember, said


@pytest.fixture
def ada(cast: Cast, now: datetime) -> Caller:
    return cast.ada.by_key(now=now)


@pytest.fixture
def oz(cast: Cast, now: datetime) -> Caller:
    return cast.oz.signed_in(now=now)


def acts(caller: Caller, verb: str) -> int:
    with acting_for(caller.organization_id):
        return AuditEvent.objects.filter(organization_id=caller.organization_id, verb=verb).count()


def without(caller: Caller, *permissions: Permission) -> Caller:
    from dataclasses import replace

    return replace(caller, projects={id: held - set(permissions) for id, held in caller.projects.items()})


def test_a_protected_record_is_forgotten_only_by_override(ada: Caller, now: datetime) -> None:
    record = remember(ada, "the root key is in the safe", now=now)
    protect(ada, record.id, now=now)
    refused = forget(without(ada, Permission.REVIEW), now=now, memory_id=str(record.id), override=True)
    assert isinstance(refused, Failed)
    assert refused.error == "protected"
    unprotect(ada, record.id, now=now)
    assert isinstance(forget(ada, now=now, memory_id=str(record.id)), Forgotten)


def test_protecting_twice_changes_nothing_and_is_noted_once(ada: Caller, now: datetime) -> None:
    record = remember(ada, "the root key is in the safe", now=now)
    first = protect(ada, record.id, now=now)
    assert protect(ada, record.id, now=now.replace(year=now.year + 1)).answer == first.answer
    assert acts(ada, "protect") == 1
    assert unprotect(ada, record.id, now=now).answer == unprotect(ada, record.id, now=now).answer
    assert acts(ada, "unprotect") == 1


def test_protection_needs_review(ada: Caller, now: datetime) -> None:
    record = remember(ada, "the root key is in the safe", now=now)
    for change in (protect, unprotect):
        with pytest.raises(Forbidden):
            change(without(ada, Permission.REVIEW), record.id, now=now)


def test_reinstating_undoes_what_superseded_a_record(ada: Caller, oz: Caller, now: datetime) -> None:
    old = remember(ada, "staging by systemd", now=now)
    new = remember(ada, "staging by compose", now=now)
    said("supersede", ada, now=now, node_id=str(old.id), superseded_by=str(new.id))
    assert [r.id for r in found(ada, "systemd", now=now)] == []
    answer = reinstated(oz, old.id, now=now).answer
    assert answer is not None
    assert answer.model_dump() == {"ok": True, "id": old.id, "no_longer_by": [new.id]}
    assert [r.id for r in found(ada, "systemd", now=now)] == [old.id]
    assert acts(oz, "reinstate") == 1
    with pytest.raises(Clash):
        reinstated(oz, old.id, now=now)
    said("supersede", ada, now=now, node_id=str(old.id), superseded_by=str(new.id))
    assert [r.id for r in found(ada, "systemd", now=now)] == []


def test_a_succession_that_one_cannot_see_leaves_no_trace_on_reinstating(ada: Caller, oz: Caller, now) -> None:
    old = remember(ada, "staging by systemd", now=now)
    draft = remember(ada, "staging by compose", now=now, visibility="author")
    said("supersede", ada, now=now, node_id=str(old.id), superseded_by=str(draft.id))
    with pytest.raises(Clash) as hidden:
        reinstated(oz, old.id, now=now)
    lone = remember(ada, "staging by nomad", now=now)
    with pytest.raises(Clash) as none:
        reinstated(oz, lone.id, now=now)
    assert (hidden.value.detail, hidden.value.data) == (none.value.detail, none.value.data)
    with acting_for(ada.organization_id):
        assert Succession.objects.get(old_id=old.id).undone_at is None


def test_reinstating_needs_manage_and_a_record_that_is_there(ada: Caller, oz: Caller, now: datetime) -> None:
    gone = remember(ada, "staging by systemd", now=now)
    forget(ada, now=now, memory_id=str(gone.id))
    draft = remember(ada, "staging by nomad", now=now, visibility="author")
    told = []
    for id in (gone.id, draft.id, uuid4()):
        with pytest.raises(Unknown) as refused:
            reinstated(oz, id, now=now)
        told.append((refused.value.detail, refused.value.data))
    assert told == [told[0]] * 3
    with pytest.raises(Forbidden):
        reinstated(ada, gone.id, now=now)


def test_an_idempotency_key_gives_the_first_answer_again(ada: Caller, now: datetime) -> None:
    one, other = (remember(ada, text, now=now) for text in ("one", "other"))
    first = protect(ada, one.id, now=now, idempotency_key="k")
    unprotect(ada, one.id, now=now)
    again = protect(ada, one.id, now=now, idempotency_key="k")
    assert (again.answer, again.replayed) == (first.answer, True)
    with acting_for(ada.organization_id):
        assert Record.objects.get(id=one.id).protected_at is None
    with pytest.raises(Refusal) as refused:
        protect(ada, other.id, now=now, idempotency_key="k")
    assert refused.value.status == 422
