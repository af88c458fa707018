"""The limits gate: how long a text may be."""

from memory.drafts import Draft, Stop
from memory.versions import require_size


def limits(draft: Draft) -> Draft | Stop:
    """Refuse a text that is longer than this server takes."""
    require_size(draft.inputs.content)
    return draft
