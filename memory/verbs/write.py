"""write: a record through the gates, and always told what became of it."""

from datetime import datetime

from memory.drafts import Stop
from memory.effects import Told
from memory.protocol.shapes import Committed, Gated, WriteInputs
from memory.verbs.writing import put
from orgs.audit import note
from orgs.caller import Caller


def execute(caller: Caller, inputs: WriteInputs, *, now: datetime, redactions: dict[str, int]) -> Told:
    """Store it, or answer which gate stopped it and what to do next."""
    outcome = put(caller, inputs, verb="write", now=now, redactions=redactions)
    if isinstance(outcome, Stop):
        return outcome.form, outcome.answer
    note(caller, verb="write", object_id=outcome.record.id, now=now)
    if outcome.draft.gate:
        gated = {"gate": outcome.draft.gate, **outcome.findings}
        return "gate_gated", Gated(ok=True, id=outcome.record.id, committed=True, **gated)
    return "committed", Committed(ok=True, id=outcome.record.id, committed=True, **outcome.findings)
