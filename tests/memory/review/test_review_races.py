"""Several reviewers and writers at the same moment."""

from datetime import datetime

import pytest

from memory.models import Proposal, Record
from memory.protocol import shapes
from memory.review import deciding
from orgs.errors import Clash, Refusal
from orgs.models import AuditEvent
from orgs.tenancy import acting_for
from tests.cast import Cast
from tests.memory.review.proposing import decided, make_policy, proposal_row, proposed
from tests.memory.writing import remember, said
from tests.orgs.test_races import at_the_same_moment

pytestmark = pytest.mark.usefixtures("committed")


def test_two_reviewers_at_once_have_one_effect_and_one_answer(committed_cast: Cast, now: datetime) -> None:
    make_policy(committed_cast.project, now=now, mode="review")
    pid = proposed(committed_cast.ada.by_key(now=now), "quokka", now=now)
    people = [committed_cast.ben, committed_cast.cy, committed_cast.hal, committed_cast.kit]
    reviewers = [person.by_key(now=now) for person in people]
    acts = [lambda caller=caller: decided("accept", caller, pid, now=now) for caller in reviewers for _ in range(2)]
    answers = at_the_same_moment(*acts)
    assert answers == [answers[0]] * 8
    with acting_for(committed_cast.organization.id):
        assert list(Record.objects.values_list("id", flat=True)) == [answers[0].id]
        assert AuditEvent.objects.filter(verb="proposal.accept", object_id=str(pid)).count() == 1


def test_reviewers_who_disagree_at_once_leave_one_decision_and_tell_the_others(
    committed_cast: Cast, now: datetime
) -> None:
    ada = committed_cast.ada.by_key(now=now)
    known = remember(ada, "known", now=now)
    make_policy(committed_cast.project, now=now, mode="review")
    pid = proposed(ada, "quokka", now=now)
    ben, cy = committed_cast.ben.by_key(now=now), committed_cast.cy.by_key(now=now)
    answers = at_the_same_moment(
        lambda: decided("accept", ben, pid, now=now),
        lambda: decided("merge", cy, pid, now=now, into=str(known.id)),
        lambda: decided("accept", cy, pid, now=now, content="quokkas"),
    )
    state = proposal_row(ada, pid).state
    refused = [answer for answer in answers if isinstance(answer, Refusal)]
    assert [type(answer) for answer in refused] == [Clash] * 2
    assert {answer.data["state"] for answer in refused} == {state}
    with acting_for(committed_cast.organization.id):
        assert Record.objects.count() == (2 if state == "accepted" else 1)


def test_one_idempotency_key_at_once_decides_once(committed_cast: Cast, now: datetime) -> None:
    make_policy(committed_cast.project, now=now, mode="review")
    pid = proposed(committed_cast.ada.by_key(now=now), "quokka", now=now)
    cy = committed_cast.cy.by_key(now=now)
    answers = at_the_same_moment(
        *[lambda: deciding.accept(cy, pid, {"content": "Quokka"}, now=now, idempotency_key="k")] * 5
    )
    assert len({answer.answer for answer in answers if not isinstance(answer, Refusal)}) == 1
    assert sorted(getattr(answer, "replayed", "refused") for answer in answers) == [False, True, True, True, True]


def test_two_acceptances_at_once_supersede_one_record_once(committed_cast: Cast, now: datetime) -> None:
    ada = committed_cast.ada.by_key(now=now)
    old = remember(ada, "grey", now=now, fact_key="zoo.quokka")
    make_policy(committed_cast.project, now=now, mode="review")
    pids = []
    for color in ("brown", "red"):
        answer = said("supersede", ada, now=now, node_id=str(old.id), content=color).answer
        assert isinstance(answer, shapes.ShortCircuit)
        pids.append(answer.pid)
    cy = committed_cast.cy.by_key(now=now)
    answers = at_the_same_moment(*[lambda pid=pid: decided("accept", cy, pid, now=now) for pid in pids])
    assert sorted(type(answer).__name__ for answer in answers) == ["Clash", "Decided"]


def test_equal_writes_at_once_are_queued_once(committed_cast: Cast, now: datetime) -> None:
    make_policy(committed_cast.project, now=now, mode="review")
    callers = [person.by_key(now=now) for person in (committed_cast.ada, committed_cast.cy)] * 3
    acts = [lambda caller=caller: proposed(caller, "quokka", now=now) for caller in callers]
    assert len(set(at_the_same_moment(*acts))) == 1
    with acting_for(committed_cast.organization.id):
        assert Proposal.objects.count() == 1
