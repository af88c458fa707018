"""The consistency gate: does a write contradict a live version of the fact?"""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from memory.drafts import Draft, Stop
from memory.policies import verdict
from memory.proposals import QUEUE, held, stopped
from memory.protocol.shapes import Consistency
from memory.protocol.vocabulary import VerdictState
from memory.sources import digest_of
from memory.standing import Claim, contradicted
from memory.statuses import MOST_IDS
from memory.versions import content_digest
from orgs.models import Workspace
from orgs.names import canonical


def consistency(draft: Draft) -> Draft | Stop:
    """Note the versions that say something else, and if there are any do what the caller or the project says."""
    if not draft.inputs.consistency or draft.inputs.fact_key is None:
        return draft
    default = draft.policy.on_conflict_for_agents if draft.by.key_id else "record"
    rivals = _rivals(draft, draft.inputs.fact_key)
    found = Consistency(conflicts=list(rivals[:MOST_IDS]), on_conflict=draft.inputs.on_conflict or default)
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
        return held(draft, judged, moved_to=QUEUE)
    return stopped(draft, judged, moved_to="conflict_rejected", next="settle the conflict, or pass on_conflict=record")


def _rivals(draft: Draft, fact_key: str) -> Sequence[UUID]:
    """Return what the record, once stored, would be in conflict with, by the rule that statuses follow."""
    caller = draft.caller
    place = {"organization_id": caller.organization_id, "project_id": caller.writes_in}
    workspace = Workspace.objects.filter(**place, name=canonical(draft.inputs.workspace)).first()
    if workspace is None:
        return ()
    claim = Claim(
        workspace_id=workspace.id,
        fact_key=canonical(fact_key),
        content_digest=content_digest(draft.inputs.content),
        source_digest=digest_of(draft.inputs.source_hash),
        instead_of=draft.replaces,
    )
    return contradicted([claim], caller)[0]
