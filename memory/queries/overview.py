"""How much there is, as the caller sees it: workspaces with their sizes, and counts by status, workspace and day."""

from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db.models import Count, Max, Q

from memory.filters import named
from memory.models import Record
from memory.protocol import shapes
from memory.protocol.vocabulary import Status
from memory.queries.cursors import Place, cursor_after, place_of
from memory.sight import require_sight
from memory.standing import look
from orgs.caller import Caller
from orgs.tenancy import acting_for

MOST_COUNTED = 5_000
"""So many records are judged for the counts; there may be millions, and a status is derived for each."""


def workspaces(caller: Caller, inputs: shapes.WorkspacesInputs) -> shapes.WorkspaceList:
    """Return a page of the workspaces in which the caller sees a record, by name, with how many."""
    require_sight(caller)
    asked = f"{caller.organization_id} workspaces"
    place = place_of(inputs.cursor, asked=asked)
    with acting_for(caller.organization_id):
        rows = Record.objects.visible_to(caller)
        if place:
            behind = Q(workspace__name__gt=place.after) | Q(workspace__name=place.after, workspace_id__gt=place.id)
            rows = rows.filter(behind)
        sizes = rows.order_by().values("workspace__name", "workspace_id", "project_id")
        counted = sizes.annotate(records=Count("id"), newest_at=Max("created_at"))
        found = list(counted.order_by("workspace__name", "workspace_id")[: inputs.limit + 1])
    shown = found[: inputs.limit]
    last = Place(shown[-1]["workspace__name"], shown[-1]["workspace_id"]) if len(found) > len(shown) else None
    return shapes.WorkspaceList(
        results=[_listed(row) for row in shown],
        meta=shapes.PageMeta(
            count=len(shown), limit=inputs.limit, next_cursor=cursor_after(last, asked=asked) if last else None
        ),
    )


def _listed(row: Mapping[str, Any]) -> shapes.ListedWorkspace:
    return shapes.ListedWorkspace(
        name=row["workspace__name"], project=row["project_id"], records=row["records"], newest_at=row["newest_at"]
    )


def stats(caller: Caller, inputs: shapes.StatsInputs, *, now: datetime) -> shapes.Stats:
    """Count the live records that the caller sees, superseded ones too, by status, workspace and day (UTC)."""
    require_sight(caller)
    with acting_for(caller.organization_id):
        rows = named(Record.objects.visible_to(caller), workspace=inputs.workspace)
        if inputs.days:
            rows = rows.filter(created_at__gte=now - timedelta(days=inputs.days))
        newest = rows.order_by("-created_at", "-id").values_list("id", "workspace__name", "created_at")
        found = list(newest[: MOST_COUNTED + 1])
        counted = found[:MOST_COUNTED]
        seen = look([id for id, _, _ in counted], caller, now=now)
    statuses = Counter(one.standing.status for one in seen.values())
    return shapes.Stats(
        records=len(counted),
        complete=len(found) == len(counted),
        by_status={status: statuses[status] for status in Status},
        by_workspace=Counter(name for _, name, _ in counted),
        by_day=Counter(at.astimezone(UTC).date() for _, _, at in counted),
    )
