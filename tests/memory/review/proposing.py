"""Ways for tests to propose, to decide, and to set a policy."""

from datetime import datetime
from typing import Any
from uuid import UUID

from memory.models import Proposal, WritePolicy
from memory.protocol import shapes
from memory.review import deciding
from memory.review.waiting import listed
from orgs.caller import Caller
from orgs.models import Project
from orgs.tenancy import acting_for
from tests.memory.writing import said

DECISIONS = {"accept": deciding.accept, "merge": deciding.merge, "reject": deciding.reject}


def make_policy(project: Project, *, now: datetime, **fields: Any) -> None:
    """Keep a policy for a project."""
    with acting_for(project.organization_id):
        WritePolicy.objects.update_or_create(
            organization_id=project.organization_id, project=project, defaults={**fields, "updated_at": now}
        )


def proposed(caller: Caller, content: str, *, now: datetime, verb: str = "write", **fields: Any) -> UUID:
    """Write something that some gate holds, and return its pid."""
    answer = said(verb, caller, now=now, content=content, **fields).answer
    assert isinstance(answer, shapes.ShortCircuit)
    assert answer.pid
    return answer.pid


def decided(act: str, caller: Caller, pid: UUID, *, now: datetime, **inputs: Any) -> shapes.Decided:
    """Decide on a proposal as this caller."""
    answer = DECISIONS[act](caller, pid, inputs, now=now).answer
    assert isinstance(answer, shapes.Decided)
    return answer


def queue(caller: Caller, **asked: Any) -> list[shapes.Proposal]:
    """List proposals as this caller."""
    return listed(caller, shapes.ProposalsInputs(**asked)).results


def proposal_row(caller: Caller, pid: UUID) -> Proposal:
    """Look past the lens."""
    with acting_for(caller.organization_id):
        return Proposal.objects.get(id=pid)
