"""Reads of what the archivist did, for those who see all that it is about."""

from uuid import UUID

from django.db.models import Exists, OuterRef, Q

from archivist.models import Decision
from memory.models import Record
from memory.protocol import shapes
from memory.queries.pages import page
from memory.sight import require_sight
from orgs.caller import Caller
from orgs.errors import Unknown
from orgs.tenancy import acting_for


def decisions(caller: Caller, id: UUID, inputs: shapes.Page) -> shapes.DecisionList:
    """Return a page of the decisions about a record, newest first, both of whose ends the caller sees now."""
    require_sight(caller)
    with acting_for(caller.organization_id):
        live = Record.objects.visible_to(caller)
        if not live.filter(id=id).exists():
            raise Unknown("There is no such record here.")
        rows = Decision.objects.filter(Q(record=id) | Q(about=id), organization_id=caller.organization_id).filter(
            Exists(live.filter(id=OuterRef("record_id"))),
            Q(about=None) | Exists(live.filter(id=OuterRef("about_id"))),
        )
        bound_to = f"{caller.organization_id} decisions {id}"
        found = page(rows.select_related("comparison"), inputs, bound_to=bound_to, at="at")
    return shapes.DecisionList(results=[_shape(row) for row in found.rows], meta=found.meta)


def _shape(row: Decision) -> shapes.Decision:
    return shapes.Decision(
        id=row.id,
        record=row.record_id,
        about=row.about_id,
        what=row.what,
        amount=row.amount,
        reason=row.reason,
        judge=row.comparison.judge,
        judge_version=row.comparison.version,
        at=row.at,
        undone_at=row.undone_at,
        undone_by=row.undone_by_id,
    )
