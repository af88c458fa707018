"""The limits gate: how long a text may be, and how many records an organization may keep."""

from memory import quotas
from memory.drafts import Draft, Stop
from memory.versions import require_size


def limits(draft: Draft) -> Draft | Stop:
    """Refuse a text that is longer than this server takes, and a record that there is no room for."""
    require_size(draft.inputs.content)
    quotas.take(draft.caller, 1, now=draft.now)
    return draft
