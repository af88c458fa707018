"""What becomes of proposals: those who review a project accept them, merge them into a record, or reject them.

A decision holds the proposal's row to the end of its transaction: of two reviewers at once one has an effect, and the
other gets the same answer if it decided alike, or else a Clash. What was rejected may still be accepted or merged.
Once a record says it, the proposal keeps no text of its own: who may no longer see that record finds it nowhere else.
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from memory.effects import Effect, Parsed, Redactions, Terms, Told, effect
from memory.models import Proposal, Record, Succession
from memory.models.proposal import ProposalState
from memory.models.record import successions
from memory.protocol import shapes
from memory.review.admitting import admitted, draft_of, stored_alike
from memory.review.waiting import OPEN
from memory.successions import alone, succeed
from orgs.audit import note
from orgs.caller import Caller
from orgs.errors import Clash, Forbidden, Unknown
from orgs.roles import Permission

_ACCEPT = Terms("proposal_accept", shapes.AcceptInputs, lambda _: shapes.Decided)
_MERGE = Terms("proposal_merge", shapes.MergeInputs, lambda _: shapes.Decided)
_REJECT = Terms("proposal_reject", shapes.RejectInputs, lambda _: shapes.Decided)


def accept(caller: Caller, pid: UUID, payload: object, *, now: datetime, idempotency_key: str | None = None) -> Effect:
    """Store what was proposed, as edited, for its author; and supersede what it was proposed to supersede."""

    def act(inputs: shapes.AcceptInputs, redactions: Redactions) -> Told:
        return "decided", _accept(caller, pid, inputs, redactions, now=now)

    return _decide(caller, pid, _ACCEPT, payload, act=act, now=now, idempotency_key=idempotency_key)


def merge(caller: Caller, pid: UUID, payload: object, *, now: datetime, idempotency_key: str | None = None) -> Effect:
    """Decide that a record says it already. Nothing is stored."""

    def act(inputs: shapes.MergeInputs, _: Redactions) -> Told:
        return "decided", _merge(caller, pid, inputs.into, now=now)

    return _decide(caller, pid, _MERGE, payload, act=act, now=now, idempotency_key=idempotency_key)


def reject(caller: Caller, pid: UUID, payload: object, *, now: datetime, idempotency_key: str | None = None) -> Effect:
    """Refuse it, and the same content from then on."""

    def act(inputs: shapes.RejectInputs, _: Redactions) -> Told:
        return "decided", _reject(caller, pid, inputs.reason, now=now)

    return _decide(caller, pid, _REJECT, payload, act=act, now=now, idempotency_key=idempotency_key)


def _decide(
    caller: Caller,
    pid: UUID,
    terms: Terms[Parsed],
    payload: object,
    *,
    act: Callable[[Parsed, Redactions], Told],
    now: datetime,
    idempotency_key: str | None,
) -> Effect:
    return effect(
        caller,
        terms,
        payload,
        permit=lambda _: _locked(caller, pid),
        act=act,
        now=now,
        idempotency_key=idempotency_key,
        about={"pid": str(pid)},
    )


# ---------------------------------------------------------------- the three decisions


def _accept(
    caller: Caller, pid: UUID, inputs: shapes.AcceptInputs, redactions: Redactions, *, now: datetime
) -> shapes.Decided:
    proposal = _locked(caller, pid)
    _require_other_eyes(caller, proposal)
    caller = caller.writing_in(proposal.project_id)
    if proposal.state == ProposalState.ACCEPTED and stored_alike(proposal, inputs):
        return _decided(caller, proposal, redactions)
    _require_open(proposal)
    draft = draft_of(caller, proposal, inputs, redactions, now=now)
    old = _to_supersede(caller, proposal) if inputs.supersede else None
    record = admitted(draft)
    if old:
        succeed(caller, old, record, now=now)
    _settle(caller, proposal, ProposalState.ACCEPTED, now=now, record_id=record.id, inputs={})
    return _decided(caller, proposal, draft.redactions)


def _merge(caller: Caller, pid: UUID, into: UUID, *, now: datetime) -> shapes.Decided:
    proposal = _locked(caller, pid)
    _require_other_eyes(caller, proposal)
    if not Record.objects.visible_to(caller).filter(id=into, project_id=proposal.project_id).exists():
        raise Unknown("There is no such record in this project.", field="into")
    if proposal.state == ProposalState.MERGED and proposal.record_id == into:
        return _decided(caller, proposal)
    _require_open(proposal)
    _settle(caller, proposal, ProposalState.MERGED, now=now, record_id=into, inputs={})
    return _decided(caller, proposal)


def _reject(caller: Caller, pid: UUID, reason: str, *, now: datetime) -> shapes.Decided:
    proposal = _locked(caller, pid)
    if proposal.state == ProposalState.REJECTED and proposal.decision_reason is not None:
        return _decided(caller, proposal)
    _require_open(proposal)
    _settle(caller, proposal, ProposalState.REJECTED, now=now, decision_reason=reason, moved_to="rejected")
    return _decided(caller, proposal)


# ---------------------------------------------------------------- who may decide, and on what


def _locked(caller: Caller, pid: UUID) -> Proposal:
    """Lock a proposal that the caller sees and may decide on; or raise Unknown, or Forbidden."""
    rows = Proposal.objects.visible_to(caller).select_for_update(of=("self",), no_key=True)
    proposal = rows.filter(id=pid).first()
    if proposal is None:
        raise Unknown("There is no such proposal here.")
    caller.require(Permission.REVIEW, project_id=proposal.project_id)
    return proposal


def _require_other_eyes(caller: Caller, proposal: Proposal) -> None:
    """Refuse a key that lets in what a key of the same owner proposed, where the policy held it for a person."""
    held_by_policy = proposal.verdict["kind"] in {"mode", "rule"}
    by_keys = caller.key_id is not None and proposal.key_id is not None
    if held_by_policy and by_keys and proposal.author_id == caller.user_id:
        raise Forbidden("Somebody else has to decide on what this key's owner proposed.")


def _require_open(proposal: Proposal) -> None:
    if proposal.state not in OPEN:
        raise Clash(f"It was {proposal.state} already.", data={"state": proposal.state})


def _to_supersede(caller: Caller, proposal: Proposal) -> Record | None:
    """Lock the record that the proposal would put out of date; raise Clash if that, as far as seen, can't be done.

    Its author was allowed to; so it is done though the reviewer may not see that record, who then isn't told of it.
    """
    if proposal.supersedes_id is None:
        return None
    alone(caller.project_id)
    rows = Record.objects.in_organization(caller.organization_id).with_ids([proposal.supersedes_id])
    old = rows.select_for_update(of=("self",), no_key=True).first()
    if old is not None and old.forgotten_at is None and not successions(caller).filter(old=old).exists():
        return old
    if old is not None and not Record.objects.known_to(caller).with_ids([old.id]).exists():
        return None
    raise Clash(
        "The record that it would supersede is forgotten, or superseded by another one.",
        hint="Pass supersede=false to store it beside what is there.",
        data={"state": "already_superseded" if old and old.forgotten_at is None else "gone"},
    )


def _settle(caller: Caller, proposal: Proposal, state: ProposalState, *, now: datetime, **fields: Any) -> None:
    settled = {"state": state, "decided_at": now, "decided_by_id": caller.user_id, **fields}
    before = proposal.state
    for name, value in settled.items():
        setattr(proposal, name, value)
    proposal.save(update_fields=[name.removesuffix("_id") for name in settled])
    note(
        caller,
        verb=f"proposal.{_ACTS[state]}",
        object_type="proposal",
        object_id=proposal.id,
        now=now,
        details={"before": before, "after": state, "record": str(proposal.record_id or "")},
    )


_ACTS = {ProposalState.ACCEPTED: "accept", ProposalState.MERGED: "merge", ProposalState.REJECTED: "reject"}


# ---------------------------------------------------------------- what is answered


def _decided(caller: Caller, proposal: Proposal, redactions: Mapping[str, int] | None = None) -> shapes.Decided:
    """Answer from the row alone, so that whoever decides alike later is answered alike."""
    accepted = proposal.state == ProposalState.ACCEPTED
    told: dict[str, Any] = {"redactions": dict(redactions)} if redactions else {}
    if proposal.state == ProposalState.MERGED:
        told["merged_into"] = proposal.record_id
    if proposal.state == ProposalState.REJECTED:
        told["reason"] = proposal.decision_reason
    if accepted and (superseded := _superseded_by(caller, proposal)):
        told["supersedes"] = superseded
    if proposal.decided_at is None:
        raise ValueError("a decided proposal says when")
    return shapes.Decided(
        ok=True,
        pid=proposal.id,
        state=proposal.state,
        id=proposal.record_id if accepted else None,
        committed=accepted,
        decided_at=proposal.decided_at,
        decided_by=proposal.decided_by_id,
        **told,
    )


def _superseded_by(caller: Caller, proposal: Proposal) -> list[UUID]:
    if proposal.supersedes_id is None or proposal.record_id is None:
        return []
    pair = {"old_id": proposal.supersedes_id, "new_id": proposal.record_id}
    if not Succession.objects.filter(organization_id=caller.organization_id, **pair).exists():
        return []
    return list(Record.objects.visible_to(caller).with_ids([pair["old_id"]]).values_list("id", flat=True))
