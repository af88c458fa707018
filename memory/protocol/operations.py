"""The operations beside the verbs: what else this server offers. Capability, not part of the frozen protocol."""

from collections.abc import Mapping
from types import MappingProxyType

OPERATIONS: Mapping[str, str] = MappingProxyType(
    {
        "memory": "Call any verb; the verb is guessed if op is omitted.",
        "record": "Read one record as it stands now.",
        "restore": "Bring a forgotten record back.",
        "proposals": "List held and refused writes: those one may review, and one's own.",
        "proposal": "Read one held or refused write, and what became of it.",
        "proposal_accept": "Let a held or refused write in, as proposed or edited.",
        "proposal_merge": "Decide that a record says already what was proposed.",
        "proposal_reject": "Refuse a proposed write, and the same content from then on.",
        "policy": "Read or set a project's write policy: what is held for review, what is refused.",
        "policy_dry_run": "Try a write policy on the last writes without putting it in force.",
        "capabilities": "List or register what a team can do, for route to suggest.",
        "capability": "Withdraw a registered capability.",
    }
)
"""By the name of the address under /v1/. The conformance check compares them with the real URL registry."""
