"""The redaction gate. Secrets were taken out before a write came here; a project may refuse such writes."""

from memory.drafts import Draft, Stop
from memory.protocol.shapes import HINT, HardReject


def secrets(draft: Draft) -> Draft | Stop:
    """Stop a write in which a secret was found, where the policy says so."""
    if draft.policy.on_finding == "redact" or not draft.redactions:
        return draft
    return Stop(
        "gate_hard_reject",
        HardReject(
            ok=False,
            id=None,
            committed=False,
            gate="redaction",
            error="SECRET",
            hint=HINT.format(next=f"write it again without the {' and the '.join(sorted(draft.redactions))}"),
        ),
    )
