"""The operations beside the verbs: what else this server offers. Capability, not part of the frozen protocol."""

from collections.abc import Mapping
from types import MappingProxyType

OPERATIONS: Mapping[str, str] = MappingProxyType(
    {
        "memory": "Call any verb; the verb is guessed if op is omitted.",
        "record": "Read one record as it stands now.",
        "restore": "Bring a forgotten record back.",
    }
)
"""By the name of the address under /v1/. The conformance check compares them with the real URL registry."""
