"""The limits gate: how long a text may be, and how many proposals may wait."""

from django.conf import settings

from memory.drafts import Draft, Stop
from orgs.errors import TooLarge


def limits(draft: Draft) -> Draft | Stop:
    """Refuse a text that is longer than this server takes."""
    if len(draft.inputs.content) > settings.MAX_CONTENT_CHARACTERS:
        most = settings.MAX_CONTENT_CHARACTERS
        raise TooLarge(f"content may have {most} characters.", field="content", data={"limit_characters": most})
    return draft
