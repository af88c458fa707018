"""Proposals as a caller sees them: the queue of those who review, and what became of one's own."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db.models import Q

from memory.models import Proposal, Record
from memory.models.proposal import ProposalQuerySet, ProposalState
from memory.protocol import shapes
from memory.queries.pages import page
from memory.sight import require_sight
from memory.sources import digest_of
from memory.standing import Claim, contradicted
from memory.statuses import MOST_IDS
from orgs.access import project_named
from orgs.caller import Caller
from orgs.errors import Unknown
from orgs.names import canonical
from orgs.roles import Permission, Visibility
from orgs.tenancy import acting_for

NAMING = ("derived_from", "depends_on")  # inputs that hold ids of records
OPEN = frozenset({ProposalState.PENDING, ProposalState.REJECTED})  # what may still be accepted


def listed(caller: Caller, inputs: shapes.ProposalsInputs) -> shapes.ProposalsAnswer:
    """List the proposals that the caller may decide on, and its own, newest first."""
    require_sight(caller)
    asked = f"{caller.organization_id} proposals {inputs.model_dump_json(exclude={'cursor', 'limit'})}"
    with acting_for(caller.organization_id):
        rows = _concerning(caller, project=inputs.project)
        if inputs.state:
            rows = rows.filter(state=inputs.state)
        found = page(rows.select_related("workspace"), inputs, bound_to=asked)
        return shapes.ProposalsAnswer(results=show_proposals(found.rows, caller), meta=found.meta)


def one_proposal(caller: Caller, pid: UUID) -> shapes.Proposal:
    """Return a proposal, or raise Unknown: absent and hidden look alike."""
    require_sight(caller)
    with acting_for(caller.organization_id):
        found = list(Proposal.objects.visible_to(caller).filter(id=pid).select_related("workspace"))
        if not found:
            raise Unknown("There is no such proposal here.")
        return show_proposals(found, caller)[0]


def show_proposals(proposals: Sequence[Proposal], caller: Caller) -> list[shapes.Proposal]:
    """Return the shapes of proposals that came through the lens, in their order. Two queries."""
    named = {id for proposal in proposals for id in _ids_in(proposal)}
    seen = set(Record.objects.visible_to(caller).with_ids(named).values_list("id", flat=True)) if named else set()
    conflicts = _conflicts(proposals, caller)
    return [_shape(proposal, seen, conflicts.get(proposal.id, [])) for proposal in proposals]


def _concerning(caller: Caller, *, project: str | None) -> ProposalQuerySet:
    projects = frozenset(caller.projects)
    if project is not None:
        projects &= {project_named(caller, project).id}
    decides = [id for id in projects if caller.may(Permission.REVIEW, project_id=id)]
    theirs = Q(project_id__in=decides) | Q(project_id__in=projects, author_id=caller.user_id)
    return Proposal.objects.visible_to(caller).filter(theirs)


def _shape(proposal: Proposal, seen: set[UUID], conflicts: list[UUID]) -> shapes.Proposal:
    verdict = {**proposal.verdict, "evidence": [e for e in proposal.verdict["evidence"] if _may_be_told(e, seen)]}
    named = {field: [id for id in proposal.inputs[field] if UUID(id) in seen] for field in _naming(proposal.inputs)}
    return shapes.Proposal(
        pid=proposal.id,
        state=proposal.state,
        moved_to=proposal.moved_to,
        verdict=shapes.Verdict.model_validate(verdict),
        inputs={**proposal.inputs, **named},
        project=proposal.project_id,
        workspace=proposal.workspace.name,
        visibility=Visibility(proposal.visibility),
        author=proposal.author_id,
        department=proposal.department_id,
        by_agent=proposal.key_id is not None,
        supersedes=proposal.supersedes_id if proposal.supersedes_id in seen else None,
        conflicts=conflicts,
        created_at=proposal.created_at,
        decided_at=proposal.decided_at,
        decided_by=proposal.decided_by_id,
        reason=proposal.decision_reason,
        record=proposal.record_id if proposal.record_id in seen else None,
    )


def _conflicts(proposals: Iterable[Proposal], caller: Caller) -> dict[UUID, list[UUID]]:
    """Return what each proposal that may still be accepted would then contradict, for this caller."""
    claims = {
        proposal.id: Claim(
            workspace_id=proposal.workspace_id,
            fact_key=canonical(proposal.inputs["fact_key"]),
            content_digest=proposal.content_digest,
            source_digest=digest_of(proposal.inputs.get("source_hash")),
            instead_of=proposal.supersedes_id,
        )
        for proposal in proposals
        if proposal.inputs.get("fact_key")
    }
    found = contradicted(list(claims.values()), caller)
    return {id: rivals[:MOST_IDS] for id, rivals in zip(claims, found, strict=True)}


def _ids_in(proposal: Proposal) -> Iterable[UUID]:
    yield from (id for id in (proposal.record_id, proposal.supersedes_id) if id)
    yield from (UUID(id) for field in _naming(proposal.inputs) for id in proposal.inputs[field])
    yield from (id for id in map(_as_id, proposal.verdict["evidence"]) if id)


def _naming(inputs: Mapping[str, Any]) -> list[str]:
    return [field for field in NAMING if inputs.get(field)]


def _may_be_told(evidence: Any, seen: set[UUID]) -> bool:
    """Say whether a piece of evidence is a figure, or the id of a record that the caller sees."""
    return not isinstance(evidence, str) or _as_id(evidence) in seen


def _as_id(evidence: Any) -> UUID | None:
    try:
        return UUID(evidence) if isinstance(evidence, str) else None
    except ValueError:
        return None
