"""The consistency gate: does a write contradict a live version of the fact?"""

from dataclasses import replace
from uuid import UUID

from memory.drafts import Draft, Stop
from memory.models import Record
from memory.policies import verdict
from memory.proposals import held, stopped
from memory.protocol.shapes import Consistency
from memory.protocol.vocabulary import VerdictState
from memory.statuses import MOST_IDS
from memory.versions import content_digest
from orgs.names import canonical


def consistency(draft: Draft) -> Draft | Stop:
    """Note the versions that say something else, and if there are any do what the caller or the project says."""
    if not draft.inputs.consistency or draft.inputs.fact_key is None:
        return draft
    default = draft.policy.on_conflict_for_agents if draft.caller.key_id else "record"
    found = Consistency(conflicts=_others(draft), on_conflict=draft.inputs.on_conflict or default)
    draft = replace(draft, consistency=found)
    if not found.conflicts or found.on_conflict == "record":
        return draft
    state = VerdictState.DEFER if found.on_conflict == "defer" else VerdictState.REJECT
    judged = verdict(
        state,
        kind="consistency",
        basis=f"on_conflict={found.on_conflict}",
        evidence=[str(id) for id in found.conflicts],
        detail="Live versions of this fact say something else.",
    )
    if found.on_conflict == "defer":
        return held(draft, judged, moved_to="review_queue")
    return stopped(draft, judged, moved_to="conflict_rejected", next="settle the conflict, or pass on_conflict=record")


def _others(draft: Draft) -> list[UUID]:
    versions = (
        Record.objects.visible_to(draft.caller)
        .current_for(draft.caller)
        .in_workspace(canonical(draft.inputs.workspace))
        .filter(project_id=draft.caller.project_id, fact_key=canonical(draft.inputs.fact_key or ""))
        .exclude(content_digest=content_digest(draft.inputs.content))
    )
    if draft.replaces:
        versions = versions.exclude(id=draft.replaces)
    return list(versions.order_by("-created_at", "-id").values_list("id", flat=True)[:MOST_IDS])
