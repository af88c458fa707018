"""Writes that are not records: held for a person, or refused and remembered as refused."""

from typing import Any

from django.db import connection

from memory.drafts import Draft, Stop
from memory.models import Proposal
from memory.models.proposal import ProposalQuerySet, ProposalState
from memory.protocol.shapes import HINT, ShortCircuit, Verdict
from memory.versions import content_digest, visibility_for
from orgs.access import workspace_for_write
from orgs.errors import TooMany
from orgs.names import canonical

WAITING_AT_MOST = 10_000
_ALONE = "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))"
_NEXT = {
    "review_queue": "follow the proposal at /v1/proposals/{pid}",
    "rejected": "write something else, or ask a reviewer to look at /v1/proposals/{pid}",
}


def held(draft: Draft, verdict: Verdict, *, moved_to: str) -> Stop:
    """Keep the write as a proposal, once for the same content, and answer where it went."""
    _one_at_a_time(draft)
    known = _alike(draft).filter(state__in=[ProposalState.PENDING, ProposalState.REJECTED]).first()
    proposal = known or _kept(draft, verdict, moved_to=moved_to)
    told = {"dedup": True, "dup_of": known.id, "dup_status": known.state} if known else {}
    return stopped(
        draft, verdict, moved_to=moved_to, next=_NEXT[moved_to].format(pid=proposal.id), pid=proposal.id, **told
    )


def stopped(draft: Draft, verdict: Verdict, *, moved_to: str, next: str, **told: Any) -> Stop:
    """Answer that a gate did its work, and what to do now."""
    if draft.consistency:
        told["consistency"] = draft.consistency
    answer = ShortCircuit(
        ok=True,
        id=None,
        committed=False,
        moved_to=moved_to,
        verdict=verdict,
        hint=HINT.format(next=next),
        **told,
    )
    return Stop("gate_short_circuit", answer)


def refused_before(draft: Draft) -> Proposal | None:
    """Return the rejected proposal of the same content, if the caller may know of one."""
    return _alike(draft).filter(state=ProposalState.REJECTED).first()


def _one_at_a_time(draft: Draft) -> None:
    """Let writers of the same content wait for the first one's commit, and then find its proposal."""
    with connection.cursor() as cursor:
        cursor.execute(_ALONE, [f"propose {draft.caller.project_id} {content_digest(draft.inputs.content)}"])


def _alike(draft: Draft) -> ProposalQuerySet:
    """Return the proposals of the same content for the same place, as far as the caller may know of them."""
    caller = draft.caller
    return Proposal.objects.visible_to(caller).filter(
        project_id=caller.project_id,
        workspace__name=canonical(draft.inputs.workspace),
        content_digest=content_digest(draft.inputs.content),
    )


def _kept(draft: Draft, verdict: Verdict, *, moved_to: str) -> Proposal:
    caller, refused = draft.caller, moved_to != "review_queue"
    waiting = Proposal.objects.filter(organization_id=caller.organization_id, project_id=caller.project_id)
    if not refused and waiting.filter(state=ProposalState.PENDING)[:WAITING_AT_MOST].count() == WAITING_AT_MOST:
        raise TooMany("The review queue is full; somebody has to clear it first.")
    return Proposal.objects.create(
        organization_id=caller.organization_id,
        project_id=caller.project_id,
        workspace=workspace_for_write(caller, draft.inputs.workspace),
        author_id=caller.user_id,
        department_id=caller.home_department_id,
        key_id=caller.key_id,
        visibility=visibility_for(caller, draft.inputs.visibility),
        content_digest=content_digest(draft.inputs.content),
        inputs=draft.inputs.model_dump(mode="json", exclude_unset=True),
        verdict=verdict.model_dump(mode="json"),
        moved_to=moved_to,
        supersedes_id=draft.replaces,
        created_at=draft.now,
        state=ProposalState.REJECTED if refused else ProposalState.PENDING,
        decided_at=draft.now if refused else None,
    )
