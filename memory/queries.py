"""Reads of records for pages and endpoints that are not verbs, through the same lens and in the same shape."""

from datetime import datetime
from uuid import UUID

from memory.models import Record
from memory.protocol import shapes
from memory.showing import show
from orgs.caller import Caller
from orgs.errors import Unknown
from orgs.roles import Permission
from orgs.tenancy import acting_for


def one_record(caller: Caller, id: UUID, *, now: datetime) -> shapes.Record:
    """Return a live record as the caller sees it, or raise Unknown: absent, hidden and forgotten look alike."""
    caller.require(Permission.VIEW)
    with acting_for(caller.organization_id):
        records = list(Record.objects.visible_to(caller).select_related("workspace").with_ids([id]))
        if not records:
            raise Unknown("There is no such record here.")
        return show(records, caller, now=now)[0]
