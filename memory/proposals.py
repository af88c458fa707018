"""Writes that are not records: held for a person, or refused and remembered as refused."""

from typing import Any

from django.db import connection

from memory.drafts import Draft, Stop
from memory.models import Proposal
from memory.models.proposal import ProposalQuerySet, ProposalState
from memory.protocol.shapes import HINT, ShortCircuit, Verdict
from memory.versions import content_digest, fact_key_for, require_size, visibility_for
from orgs.access import workspace_for_write
from orgs.errors import TooMany
from orgs.names import canonical

KEPT_AT_MOST = 10_000  # in a project, of each state: they count for no limit of records
QUEUE, REJECTED = "review_queue", "rejected"  # where a write moves to
_NEXT = {
    QUEUE: "follow the proposal at /v1/proposals/{pid}",
    REJECTED: "write something else, or ask a reviewer to look at /v1/proposals/{pid}",
}
_STATE = {QUEUE: ProposalState.PENDING, REJECTED: ProposalState.REJECTED}

# Of equal writes at the same moment one is held, and the others find it.
_ALONE = "SELECT pg_advisory_xact_lock(hashtextextended('propose ' || %s || %s, 0))"


_ANY_ALIKE = """
SELECT EXISTS (
    SELECT FROM memory_proposal WHERE organization_id = %s AND project_id = %s AND content_digest = %s
)
"""


def held(draft: Draft, verdict: Verdict, *, moved_to: str) -> Stop:
    """Keep the write as a proposal, once for the same content, and answer where it went."""
    with connection.cursor() as cursor:
        cursor.execute(_ALONE, [str(draft.caller.writes_in), content_digest(draft.inputs.content)])
    known = _alike(draft).filter(state=_STATE[moved_to], supersedes_id=draft.replaces).first()
    if known:
        return told_again(draft, known, verdict, moved_to=moved_to)
    if _is_full(draft, _STATE[moved_to]):
        return _not_kept(draft, verdict, moved_to=moved_to)
    proposal = _kept(draft, verdict, moved_to=moved_to)
    return stopped(draft, verdict, moved_to=moved_to, next=_NEXT[moved_to].format(pid=proposal.id), pid=proposal.id)


def told_again(draft: Draft, known: Proposal, verdict: Verdict, *, moved_to: str) -> Stop:
    """Answer that the same content was proposed before, and what became of it."""
    again = {"pid": known.id, "dedup": True, "dup_of": known.id, "dup_status": known.state}
    return stopped(draft, verdict, moved_to=moved_to, next=_NEXT[moved_to].format(pid=known.id), **again)


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
    """Return the proposal of the same content that a person rejected, if the caller may know of one.

    What a rule rejected is no such memory: the rule itself judges again, and may have been changed since. Nearly every
    write asks this and finds nothing, which one bare statement can tell.
    """
    caller, digest = draft.caller, content_digest(draft.inputs.content)
    with connection.cursor() as cursor:
        cursor.execute(_ANY_ALIKE, [caller.organization_id, caller.writes_in, digest])
        if not cursor.fetchone()[0]:
            return None
    rejected = _alike(draft).filter(state=ProposalState.REJECTED, decision_reason__isnull=False)
    return rejected.order_by("-decided_at").first()


def _alike(draft: Draft) -> ProposalQuerySet:
    """Return the proposals of the same content for the same place, as far as the caller may know of them."""
    caller = draft.caller
    return Proposal.objects.known_to_writer(caller).filter(
        project_id=caller.writes_in,
        workspace__name=canonical(draft.inputs.workspace),
        content_digest=content_digest(draft.inputs.content),
    )


def _kept(draft: Draft, verdict: Verdict, *, moved_to: str) -> Proposal:
    """Keep a write that could be a record as it stands: what can't is refused now and not by a reviewer."""
    caller, by, state = draft.caller, draft.by, _STATE[moved_to]
    require_size(draft.inputs.content)
    fact_key_for(draft.inputs.fact_key)
    return Proposal.objects.create(
        organization_id=caller.organization_id,
        project_id=caller.writes_in,
        workspace=workspace_for_write(caller, draft.inputs.workspace),
        author_id=by.author_id,
        department_id=by.department_id,
        key_id=by.key_id,
        visibility=visibility_for(caller, draft.inputs.visibility, department_id=by.department_id),
        content_digest=content_digest(draft.inputs.content),
        inputs=draft.inputs.model_dump(mode="json", exclude_unset=True),
        verdict=verdict.model_dump(mode="json"),
        moved_to=moved_to,
        supersedes_id=draft.replaces,
        created_at=draft.now,
        state=state,
        decided_at=None if state == ProposalState.PENDING else draft.now,
    )


def _is_full(draft: Draft, state: ProposalState) -> bool:
    place = {"organization_id": draft.caller.organization_id, "project_id": draft.caller.writes_in}
    return Proposal.objects.filter(**place, state=state)[:KEPT_AT_MOST].count() == KEPT_AT_MOST


def _not_kept(draft: Draft, verdict: Verdict, *, moved_to: str) -> Stop:
    """Refuse a write that could not be held; of one that is refused anyway, nothing is kept."""
    if moved_to == QUEUE:
        raise TooMany("The review queue is full; somebody has to clear it first.")
    return stopped(
        draft, verdict, moved_to=moved_to, next="write something else; so much was refused that none is kept"
    )
