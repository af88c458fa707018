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
        "records": "List records by filters, newest first, page by page.",
        "versions": "List all versions of a record's fact, superseded ones too.",
        "relations": "List the links of a record to others.",
        "decisions": "List what the archivist decided about a record.",
        "protect": "Protect a record: it is then forgotten only by override.",
        "unprotect": "Take a record's protection away.",
        "reinstate": "Undo that a record was superseded.",
        "remember_batch": "Save up to a hundred facts in one call; each is answered on its own.",
        "conflicts": "List facts whose live versions differ: which of them is right?",
        "settle": "Settle a conflict: keep one version, tell two facts apart, or forget all.",
        "export": "Export the records one sees, with their history and links, as JSON lines or Markdown.",
        "import": "Bring an export into a project; nothing that is there is changed.",
        "workspaces": "List workspaces and how many records they hold.",
        "stats": "Count records by status, workspace and day.",
    }
)
"""By the name of the address under /v1/. The conformance check compares them with the real URL registry."""
