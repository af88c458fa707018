"""The audit gate: what the project's policy says of a write, and what a person refused before."""

from dataclasses import replace

from memory.drafts import Draft, Stop
from memory.models import Proposal
from memory.policies import verdict
from memory.proposals import QUEUE, REJECTED, held, refused_before, stopped, told_again
from memory.protocol.vocabulary import VerdictState


def audit(draft: Draft) -> Draft | Stop:
    """Let an accepted write pass; hold a deferred one for a person; keep a rejected one as negative memory."""
    if before := refused_before(draft):
        return _refused_again(draft, before)
    judged = draft.policy.judge(draft.inputs, by_agent=draft.by.key_id is not None)
    if judged.state is VerdictState.ACCEPT:
        return replace(draft, verdict=judged)
    return held(draft, judged, moved_to=REJECTED if judged.state is VerdictState.REJECT else QUEUE)


def rejecting(draft: Draft) -> Draft | Stop:
    """Stop what a rule rejects, and nothing else: who reviews decides in the policy's place, but not against it."""
    judged = draft.policy.judge(draft.inputs, by_agent=draft.by.key_id is not None)
    if judged.state is not VerdictState.REJECT:
        return draft
    return stopped(draft, judged, moved_to=REJECTED, next="change what the rule rejects, or have the policy changed")


def _refused_again(draft: Draft, before: Proposal) -> Stop:
    judged = verdict(
        VerdictState.REJECT,
        kind="negative_memory",
        basis="the same content was rejected before",
        evidence=[str(before.id)],
        detail=before.decision_reason or "",
    )
    return told_again(draft, before, judged, moved_to=REJECTED)
