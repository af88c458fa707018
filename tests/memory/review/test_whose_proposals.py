"""Proposals and conflicts against those who should not read, decide or forget."""

from dataclasses import replace
from datetime import datetime

import pytest

from memory.operations.settling import settle
from memory.protocol import shapes
from memory.review.waiting import listed, one_proposal
from orgs.caller import Caller
from orgs.errors import Clash, Forbidden
from orgs.roles import Permission
from orgs.tenancy import acting_for
from tests.cast import Cast
from tests.memory.writing import remember, said


def held(caller: Caller, *, now: datetime) -> shapes.ShortCircuit:
    remember(caller, "by systemd", now=now, fact_key="deploy.staging")
    answer = said("write", caller, now=now, content="by nomad", fact_key="deploy.staging", on_conflict="defer").answer
    assert isinstance(answer, shapes.ShortCircuit)
    return answer


@pytest.mark.parametrize("left", [{Permission.WRITE}, set()])
def test_who_may_not_read_reads_no_proposal_not_even_its_own(cast: Cast, now: datetime, left: set[Permission]) -> None:
    ada = cast.ada.by_key(now=now)
    pid = held(ada, now=now).pid
    assert pid is not None
    narrow = replace(ada, projects={cast.project.id: frozenset(left)}, reads_organization=False)
    for attempt in (lambda: one_proposal(narrow, pid), lambda: listed(narrow, shapes.ProposalsInputs())):
        with pytest.raises(Forbidden):
            attempt()


def test_a_key_that_only_writes_is_still_told_that_it_proposed_that_before(cast: Cast, now: datetime) -> None:
    ada = cast.ada.by_key(now=now)
    first = held(ada, now=now)
    narrow = replace(ada, projects={cast.project.id: frozenset({Permission.WRITE})}, reads_organization=False)
    with acting_for(ada.organization_id):
        from memory.models import WritePolicy

        WritePolicy.objects.create(organization=cast.organization, project=cast.project, mode="none", updated_at=now)
    again = said("write", narrow, now=now, content="by nomad", fact_key="deploy.staging").answer
    assert isinstance(again, shapes.ShortCircuit)
    assert (again.dedup, again.dup_of) == (True, first.pid)


def conflict(cast: Cast, *, now: datetime) -> Caller:
    ada = cast.ada.by_key(now=now)
    for content in ("by systemd", "by compose"):
        remember(ada, content, now=now, fact_key="deploy.staging")
    return ada


def test_settling_a_conflict_forgets_nothing_without_the_permission_to_forget(cast: Cast, now: datetime) -> None:
    ada = conflict(cast, now=now)
    narrow = replace(ada, projects={cast.project.id: frozenset({Permission.VIEW, Permission.REVIEW})})
    with pytest.raises(Forbidden):
        settle(narrow, {"workspace": "default", "fact_key": "deploy.staging", "none": True, "reason": "no"}, now=now)


def test_settling_a_conflict_forgets_no_protected_version(cast: Cast, now: datetime) -> None:
    ada = conflict(cast, now=now)
    with acting_for(ada.organization_id):
        from memory.models import Record

        Record.objects.filter(organization_id=ada.organization_id, content="by compose").update(protected_at=now)
    with pytest.raises(Clash, match="protected"):
        settle(ada, {"workspace": "default", "fact_key": "deploy.staging", "none": True, "reason": "no"}, now=now)
