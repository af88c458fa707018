"""search: the records that answer a question, best first."""

from datetime import datetime

from django.db.models.expressions import RawSQL

from memory.filters import narrowed
from memory.models import Record
from memory.protocol import shapes
from memory.search.words import question
from memory.showing import show
from memory.verbs.answering import Told
from orgs.caller import Caller
from orgs.tenancy import acting_for


def execute(caller: Caller, inputs: shapes.SearchInputs, *, now: datetime) -> Told:
    """Find by words."""
    asked = question(inputs.query).tsquery
    with acting_for(caller.organization_id):
        records = narrowed(Record.objects.visible_to(caller), caller, inputs).select_related("workspace")
        matching = records.extra(where=["words @@ %s::tsquery"], params=[asked]) if asked else records.none()
        found = list(matching.order_by(RawSQL("ts_rank(words, %s::tsquery)", [asked]).desc(), "-id")[: inputs.limit])
        results = show(found, caller, now=now)
    meta = shapes.SearchMeta(count=len(results), limit=inputs.limit, next_cursor=None, semantic="unavailable")
    return "list", shapes.SearchAnswer(results=results, meta=meta)
