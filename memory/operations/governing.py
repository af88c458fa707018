"""A project's write policy: what it says, setting it, and what it would have done with the last writes."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from heapq import merge
from itertools import islice
from typing import Any, Literal
from uuid import UUID

from memory.effects import Effect, Redactions, Terms, Told, effect, redacted
from memory.models import Proposal, Record, WritePolicy
from memory.places import managing
from memory.policies import Judged, Policy
from memory.protocol import shapes
from memory.protocol.parsing import parse
from memory.protocol.vocabulary import VerdictState
from memory.review.waiting import OPEN
from memory.verbs.writing import policy_of
from orgs.audit import note
from orgs.caller import Caller
from orgs.tenancy import acting_for

LAST_WRITES = 200
_SET_POLICY = Terms("policy_set", shapes.PolicyInputs, lambda _: shapes.PolicyAnswer)
_SET = ("mode", "on_conflict_for_agents", "on_finding", "restore_needs_force")
_HELD = frozenset({VerdictState.DEFER, VerdictState.BLINDSPOT})


def policy_in_force(caller: Caller, *, project: str | None) -> shapes.PolicyAnswer:
    """Return the policy of a project that the caller manages."""
    with acting_for(caller.organization_id):
        return _answer(policy_of(managing(caller, project)))


def set_policy(
    caller: Caller, payload: object, *, project: str | None, now: datetime, idempotency_key: str | None = None
) -> Effect:
    """Put a policy in force in the place of the one before."""

    def act(inputs: shapes.PolicyInputs, _: Redactions) -> Told:
        return "policy", _set(managing(caller, project), inputs, now=now)

    return effect(
        *(caller, _SET_POLICY, payload),
        permit=lambda _: managing(caller, project),
        act=act,
        now=now,
        idempotency_key=idempotency_key,
        about={"project": project or ""},
    )


def dry_run(caller: Caller, payload: object, *, project: str | None) -> shapes.DryRunAnswer:
    """Judge the project's last writes by a policy, without putting it in force.

    Only those that the caller may see: a count over others, with a pattern of one's choice, would read them out.
    """
    policy = _policy(redacted(shapes.PolicyInputs, parse(shapes.PolicyInputs, payload), payload).inputs)
    with acting_for(caller.organization_id):
        writes = list(islice(_last_writes(managing(caller, project)), LAST_WRITES))
        judged = [(write, policy.judge(write.judged, by_agent=write.by_agent)) for write in writes]
    states = Counter(verdict.state for _, verdict in judged)
    return shapes.DryRunAnswer(
        looked_at=len(writes),
        accepted=states[VerdictState.ACCEPT],
        held=sum(states[state] for state in _HELD),
        rejected=states[VerdictState.REJECT],
        writes=[
            shapes.WouldHave(
                id=write.id, kind=write.kind, state=verdict.state, basis=verdict.basis, detail=verdict.detail
            )
            for write, verdict in judged
            if verdict.state is not VerdictState.ACCEPT
        ],
    )


def _set(caller: Caller, inputs: shapes.PolicyInputs, *, now: datetime) -> shapes.PolicyAnswer:
    before = policy_of(caller)
    rules = [rule.model_dump(mode="json", exclude_unset=True) for rule in inputs.rules]
    said = {name: getattr(inputs, name) for name in _SET}
    WritePolicy.objects.update_or_create(
        organization_id=caller.organization_id,
        project_id=caller.writes_in,
        defaults={**said, "rules": rules, "updated_at": now},
    )
    note(
        caller,
        verb="policy.set",
        object_type="project",
        object_id=str(caller.project_id),
        now=now,
        details={"before": _noted(before), "after": _noted(_policy(inputs))},
    )
    return _answer(_policy(inputs))


def _policy(inputs: shapes.PolicyInputs) -> Policy:
    return Policy(rules=tuple(inputs.rules), **{name: getattr(inputs, name) for name in _SET})


def _answer(policy: Policy) -> shapes.PolicyAnswer:
    return shapes.PolicyAnswer(rules=list(policy.rules), **{name: getattr(policy, name) for name in _SET})


def _noted(policy: Policy) -> Mapping[str, Any]:
    rules = [rule.model_dump(mode="json", exclude_unset=True) for rule in policy.rules]
    return {**{name: getattr(policy, name) for name in _SET}, "rules": rules}


@dataclass(frozen=True, slots=True)
class _Write:
    """What became of one write: a record, or a proposal that is none."""

    at: datetime
    id: UUID
    kind: Literal["record", "proposal"]
    judged: Judged
    by_agent: bool


def _last_writes(caller: Caller) -> Iterator[_Write]:
    """Go through the project's writes that the caller sees, newest first. Two queries."""
    place = {"project_id": caller.writes_in}
    records = Record.objects.visible_to(caller).filter(**place).order_by("-created_at", "-id")
    seen = records.only("id", "content", "content_kind", "source", "confidence", "key_id", "created_at")
    proposals = Proposal.objects.visible_to(caller).filter(**place).filter(state__in=OPEN)
    waiting = proposals.order_by("-created_at", "-id")[:LAST_WRITES]
    yield from merge(
        (_Write(r.created_at, r.id, "record", r, r.key_id is not None) for r in seen[:LAST_WRITES]),
        (_Write(p.created_at, p.id, "proposal", _inputs_of(p), p.key_id is not None) for p in waiting),
        key=lambda write: (write.at, write.id),
        reverse=True,
    )


def _inputs_of(proposal: Proposal) -> shapes.WriteInputs:
    return parse(shapes.WriteInputs, proposal.inputs)
