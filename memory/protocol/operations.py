"""The operations beside the verbs: what else this server offers. Capability, not part of the frozen protocol."""

from collections.abc import Mapping
from types import MappingProxyType

OPERATIONS: Mapping[str, str] = MappingProxyType(
    {
        "memory": "Call any verb; the verb is guessed if op is omitted.",
        "record": "Read one record as it stands now.",
        "restore": "Bring a forgotten record back.",
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
        "workspaces": "List workspaces and how many records they hold.",
        "stats": "Count records by status, workspace and day.",
    }
)
"""By the name of the address under /v1/. The conformance check compares them with the real URL registry."""
