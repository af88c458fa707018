"""Which verb is meant when a caller leaves it out. Pure."""

from collections.abc import Mapping

DERIVED_FROM = (("content", "write"), ("query", "read"), ("node_id", "read"), ("intent", "route"))
OTHERWISE = "read"
EXTRA_KEYS = ("op", "op_derived", "hint")
HINT = "The verb was guessed from the parameters; pass op to say it."


def derived(payload: Mapping[str, object]) -> str:
    """Return the verb that the parameters point at."""
    return next((verb for name, verb in DERIVED_FROM if payload.get(name) is not None), OTHERWISE)
