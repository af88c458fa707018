"""remember: one more record."""

from datetime import datetime

from memory.protocol.shapes import RememberedRecord, RememberInputs
from memory.showing import show
from memory.verbs.answering import Told
from memory.versions import keep
from orgs.audit import note
from orgs.caller import Caller


def execute(caller: Caller, inputs: RememberInputs, *, now: datetime, redactions: dict[str, int]) -> Told:
    """Store the fact and answer it as its writer sees it now."""
    record = keep(caller, inputs, now=now)
    shown = show([record], caller, now=now)[0]
    note(caller, verb="remember", object_id=record.id, now=now)
    stored = {name: getattr(shown, name) for name in shown.model_fields_set}
    return "committed", RememberedRecord(**stored, ok=True, committed=True, redactions=redactions)
