"""The audit gate: what the project's policy says of a write, and what was refused before."""

from dataclasses import replace

from memory.drafts import Draft, Stop
from memory.policies import verdict
from memory.proposals import held, refused_before
from memory.protocol.vocabulary import VerdictState


def audit(draft: Draft) -> Draft | Stop:
    """Let an accepted write pass; hold a deferred one for a person; keep a rejected one as negative memory."""
    if before := refused_before(draft):
        judged = verdict(
            VerdictState.REJECT,
            kind="negative_memory",
            basis="the same content was rejected before",
            evidence=[str(before.id)],
            detail=before.decision_reason or before.verdict.get("detail", ""),
        )
        return held(replace(draft, verdict=judged), judged, moved_to="rejected")
    judged = draft.policy.judge(draft.inputs, by_agent=draft.caller.key_id is not None)
    if judged.state is VerdictState.ACCEPT:
        return replace(draft, verdict=judged)
    moved_to = "rejected" if judged.state is VerdictState.REJECT else "review_queue"
    return held(draft, judged, moved_to=moved_to)
