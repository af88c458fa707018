"""supersede: a record is put out of date in favour of another one. Both stay."""

from datetime import datetime
from typing import Any
from uuid import UUID

from memory.doors import changeable_by
from memory.drafts import Stop
from memory.effects import Told
from memory.models import Record, Succession
from memory.models.record import successions
from memory.protocol import shapes
from memory.protocol.shapes.answers import FailedFor
from memory.successions import alone, leads_back, succeed
from memory.verbs.writing import Stored, put
from memory.versions import Authorship
from orgs.caller import Caller
from orgs.errors import Invalid
from orgs.roles import Permission, Visibility


def execute(caller: Caller, inputs: shapes.SupersedeInputs, *, now: datetime, redactions: dict[str, int]) -> Told:
    """Put the record out of date, or answer `failed` and change nothing."""
    if inputs.superseded_by and inputs.content:
        raise Invalid("Pass superseded_by or content, not both.", field="content")
    alone(caller.project_id)
    old = changeable_by(caller, Permission.WRITE).filter(id=inputs.node_id, forgotten_at=None).first()
    if old is None or old.project_id != caller.project_id:
        return _failed("unknown", "There is no such record here.")
    if successions(caller).filter(old=old).exists():
        return _failed("already_superseded", "Another record took its place already; supersede that one.")
    if inputs.content:
        return _by_content(caller, old, inputs, now=now, redactions=redactions)
    return _by_record(caller, old, inputs.superseded_by or old.id, now=now)


def _by_record(caller: Caller, old: Record, new_id: UUID, *, now: datetime) -> Told:
    new = Record.objects.visible_to(caller).filter(id=new_id, project_id=old.project_id).first()
    if new is None:
        return _failed("unknown", "There is no such record here.")
    if leads_back(caller, old.id, new.id):
        return _failed("cycle", "The record would supersede itself in the end.")
    succeed(caller, old, new, now=now)
    return "superseded", shapes.Superseded(
        ok=True, id=old.id, superseded_by=new.id, supersedes=_precedents(caller, new)
    )


def _by_content(
    caller: Caller, old: Record, inputs: shapes.SupersedeInputs, *, now: datetime, redactions: dict[str, int]
) -> Told:
    by = Authorship(caller.user_id, old.department_id, caller.key_id)
    outcome = put(
        *(caller, _taken_over(old, inputs)), verb="supersede", now=now, redactions=redactions, replaces=old.id, by=by
    )
    if isinstance(outcome, Stop):
        return outcome.form, outcome.answer
    succeed(caller, old, outcome.record, now=now)
    return "superseded", _answer(old, outcome)


def _answer(old: Record, outcome: Stored) -> shapes.Superseded:
    found: dict[str, Any] = {"verdict": outcome.draft.verdict} if outcome.draft.verdict else {}
    new = outcome.record.id
    return shapes.Superseded(ok=True, id=old.id, superseded_by=new, supersedes=[old.id], committed=True, **found)


def _taken_over(old: Record, inputs: shapes.SupersedeInputs) -> shapes.WriteInputs:
    """Return the write of the new record: the place and the topic of the old one, and its own origin."""
    visibility = inputs.visibility or Visibility(old.visibility)
    if visibility > Visibility(old.visibility):
        raise Invalid("The new record can't be more visible than the one it replaces.", field="visibility")
    own = {name: getattr(inputs, name) for name in _OWN if getattr(inputs, name) is not None}
    kept = {name: getattr(old, name) for name in _KEPT if getattr(old, name) is not None}
    if old.fact_key_by_archivist:
        kept.pop("fact_key", None)
    return shapes.WriteInputs.model_validate(
        {**kept, **own, "workspace": old.workspace.name, "visibility": visibility, "content": inputs.content}
    )


_KEPT = ("fact_key", "scope", "tags", "content_kind", "layer", "importance", "condition_space", "relation")
_OWN = (
    *("source", "source_id", "source_hash", "source_revision", "confidence", "tags", "importance"),
    *("valid_from", "valid_until", "observed_at", "session", "metadata", "on_conflict"),
)


def _precedents(caller: Caller, new: Record) -> list[UUID]:
    rows = Succession.objects.filter(organization_id=caller.organization_id, new=new, undone_at=None)
    seen = Record.objects.visible_to(caller).filter(id__in=rows.values("old_id"))
    return list(seen.order_by("id").values_list("id", flat=True))


def _failed(error: FailedFor, reason: str) -> Told:
    return "failed", shapes.Failed(ok=False, error=error, reason=reason, action="supersede")
