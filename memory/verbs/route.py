"""route: what is known about an intent, and which capability to use. Executes nothing."""

from datetime import datetime

from memory.capabilities import suggested
from memory.effects import Told
from memory.protocol import shapes
from memory.verbs import search
from memory.verbs.read import asked_of
from orgs.caller import Caller
from orgs.tenancy import acting_for


def execute(caller: Caller, inputs: shapes.RouteInputs, *, now: datetime) -> Told:
    """Answer the top records, and the verbs, operations and the team's own capabilities that fit."""
    question = asked_of(inputs)
    answer = search.execute(caller, shapes.SearchInputs(query=question, limit=inputs.k), now=now)[1]
    if not isinstance(answer, shapes.SearchAnswer):
        raise TypeError("search answers a list")
    with acting_for(caller.organization_id):
        suggestions = suggested(caller, question)
    note = {} if suggestions else {"note": "No capability fits these words; search and remember always do."}
    return "default", shapes.RouteAnswer(
        knowledge=answer.results, meta=answer.meta, suggested_capabilities=suggestions, **note
    )
