"""The gates of a write, in the order in which it passes them.

A gate is a function of a Draft: it lets the draft pass, hands on another one, or stops it with an answer. To add
or remove a gate, change the tuple: nothing else knows its members. What comes after the last gate, `versions.keep`,
can't be removed, and permission is checked there and not by any gate.
"""

from memory.drafts import Draft, Gate, Stop
from memory.gates.audit import audit, rejecting
from memory.gates.consistency import consistency
from memory.gates.contract import contract
from memory.gates.forgetting import forgetting
from memory.gates.limits import limits
from memory.gates.secrets import secrets

PIPELINE: tuple[Gate, ...] = (secrets, contract, audit, consistency, forgetting, limits)


def examine(draft: Draft, *, gates: tuple[Gate, ...] = PIPELINE) -> Draft | Stop:
    """Return the draft as the gates leave it, or the answer of the gate that stopped it."""
    for gate in gates:
        ruling = gate(draft)
        if isinstance(ruling, Stop):
            return ruling
        draft = ruling
    return draft


__all__ = ["PIPELINE", "Draft", "Gate", "Stop", "contract", "examine", "limits", "rejecting", "secrets"]
