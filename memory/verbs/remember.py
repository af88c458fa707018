"""remember: a write with the fields of a record, answered with the record."""

from datetime import datetime

from memory.drafts import Stop
from memory.protocol.shapes import RememberedRecord, RememberInputs, WriteInputs
from memory.showing import show
from memory.verbs.answering import Told
from memory.verbs.writing import put
from orgs.audit import note
from orgs.caller import Caller


def execute(caller: Caller, inputs: RememberInputs, *, now: datetime, redactions: dict[str, int]) -> Told:
    """Store the fact and answer it as its writer sees it now, or answer which gate stopped it."""
    write = WriteInputs.model_construct(_fields_set=inputs.model_fields_set, **dict(inputs))
    outcome = put(caller, write, verb="remember", now=now, redactions=redactions)
    if isinstance(outcome, Stop):
        return outcome.form, outcome.answer
    shown = show([outcome.record], caller, now=now)[0]
    note(caller, verb="remember", object_id=outcome.record.id, now=now)
    stored = {name: getattr(shown, name) for name in shown.model_fields_set}
    return "committed", RememberedRecord(**stored, ok=True, committed=True, redactions=redactions)
