"""The contract gate: what a record depends on must be there, and a conclusion must say what it depends on."""

from collections.abc import Sequence

from memory.doors import missing_among
from memory.drafts import Draft, Stop
from memory.protocol.shapes import HINT, HardReject
from orgs.names import canonical

MUST_DECLARE = frozenset({"summary", "conclusion"})


def contract(draft: Draft) -> Draft | Stop:
    """Stop a write that names what isn't there (E050), or that should name something and doesn't (E051)."""
    declared = [*draft.inputs.derived_from, *draft.inputs.depends_on]
    if missing := missing_among(draft.caller, declared, vouched=draft.by.vouched):
        return _reject("E050", "leave them out, or search for the records that are meant", [str(id) for id in missing])
    if not declared and canonical(draft.inputs.content_kind or "") in MUST_DECLARE:
        return _reject("E051", "pass derived_from or depends_on", ["derived_from", "depends_on"])
    return draft


def _reject(error: str, next: str, missing: Sequence[str]) -> Stop:
    answer = HardReject(
        ok=False,
        id=None,
        committed=False,
        gate="contract",
        error=error,
        hint=HINT.format(next=next),
        missing=list(missing),
    )
    return Stop("gate_hard_reject", answer)
