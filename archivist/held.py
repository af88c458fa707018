"""The deep pass over held and refused writes: they are no records, and their texts are looked at here."""

from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from typing import Any
from uuid import UUID

from memory import metrics, replays
from memory.models import Proposal
from memory.redaction import RULES_VERSION, redact_tree
from memory.versions import content_digest
from orgs.audit import note_in
from orgs.tenancy import acting_for

BATCH = 200


def scan_held(organization_id: UUID, *, now: datetime) -> Iterator[int]:
    """Apply the present redaction rules to an organization's proposals, and say after each batch how many changed."""
    last = UUID(int=0)
    while True:
        with acting_for(organization_id):
            mine = Proposal.objects.filter(organization_id=organization_id, id__gt=last)
            batch = list(mine.select_for_update(of=("self",), no_key=True).order_by("id")[:BATCH])
            changed = sum(_scan(proposal, now=now) for proposal in batch)
        if not batch:
            return
        last = batch[-1].id
        yield changed


def _scan(proposal: Proposal, *, now: datetime) -> bool:
    before = {"inputs": proposal.inputs, "verdict": proposal.verdict, "decision_reason": proposal.decision_reason}
    after, kinds = _redacted(before)
    if not kinds:
        return False
    for name, value in after.items():
        setattr(proposal, name, value)
    if "content" in proposal.inputs:
        proposal.content_digest = content_digest(proposal.inputs["content"])
    proposal.save(update_fields=[*after, "content_digest"])
    replays.withdraw(proposal.organization_id, [proposal.id])
    metrics.count_redactions(kinds)
    note_in(
        proposal.organization_id,
        verb="proposal.scanned",
        object_type="proposal",
        object_id=proposal.id,
        now=now,
        details={"redactions": dict(kinds), "rules": RULES_VERSION},
    )
    return True


def _redacted(texts: dict[str, Any]) -> tuple[dict[str, Any], Counter[str]]:
    """Redact each parameter by itself, as when it was sent: its name is ours and tells of no secret."""
    inputs: dict[str, Any] = {}
    kinds = Counter[str]()
    for name, value in texts["inputs"].items():
        inputs[name], found = redact_tree(value)
        kinds.update(found)
    reason, found = redact_tree(texts["decision_reason"])
    detail, told = redact_tree(texts["verdict"]["detail"])
    verdict = {**texts["verdict"], "detail": detail}
    return {"inputs": inputs, "verdict": verdict, "decision_reason": reason}, kinds + found + told
