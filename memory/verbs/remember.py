"""remember: a write with the fields of a record, answered with the record."""

from datetime import datetime

from memory.drafts import Stop
from memory.effects import Told
from memory.protocol.shapes import RememberedRecord, RememberInputs, WriteInputs
from memory.showing import show
from memory.standing import newborn
from memory.verbs.writing import put
from orgs.audit import note
from orgs.caller import Caller


def execute(caller: Caller, inputs: RememberInputs, *, now: datetime, redactions: dict[str, int]) -> Told:
    """Store the fact and answer it as its writer sees it now, or answer which gate stopped it."""
    write = WriteInputs.model_construct(_fields_set=inputs.model_fields_set, **dict(inputs))
    outcome = put(caller, write, verb="remember", now=now, redactions=redactions)
    if isinstance(outcome, Stop):
        return outcome.form, outcome.answer
    record = outcome.record
    known = None if inputs.derived_from else newborn(record)
    shown = show([record], caller, now=now, known=known)[0]
    note(caller, verb="remember", object_id=record.id, now=now)
    stored = {name: getattr(shown, name) for name in shown.model_fields_set}
    return "committed", RememberedRecord(**stored, ok=True, committed=True, redactions=redactions)
