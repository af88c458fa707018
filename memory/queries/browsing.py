"""What a reader sees before there is a question: the newest records, and the workspaces there are to choose from."""

from datetime import datetime

from django.db.models import Exists, OuterRef

from memory.filters import narrowed
from memory.models import Record
from memory.protocol import shapes
from memory.showing import show
from orgs.caller import Caller
from orgs.models import Workspace
from orgs.roles import Permission
from orgs.tenancy import acting_for

MOST_WORKSPACES = 200


def newest(caller: Caller, filters: shapes.Filters, *, limit: int, now: datetime) -> list[shapes.Record]:
    """Return the newest records that pass the filters. A status is judged by the reader and can't be one of them."""
    caller.require(Permission.VIEW)
    with acting_for(caller.organization_id):
        records = narrowed(Record.objects.visible_to(caller), caller, filters).select_related("workspace")
        return show(list(records.order_by("-created_at", "-id")[:limit]), caller, now=now)


def workspaces(caller: Caller) -> list[str]:
    """List the workspaces in which the caller sees a record, by name."""
    caller.require(Permission.VIEW)
    with acting_for(caller.organization_id):
        seen = Record.objects.visible_to(caller).filter(workspace_id=OuterRef("id"))
        names = Workspace.objects.filter(Exists(seen), organization_id=caller.organization_id)
        return list(names.order_by("name").values_list("name", flat=True).distinct()[:MOST_WORKSPACES])
