"""The names that people give to what they make."""

import re
import unicodedata

from orgs.errors import Invalid

LONGEST_NAME = 150
_SLUG = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")


def checked_name(name: str) -> str:
    """Return a name in its one spelling (NFC, single spaces), or raise Invalid."""
    spelled = " ".join(unicodedata.normalize("NFC", name).split())
    if not spelled or len(spelled) > LONGEST_NAME or not spelled.isprintable():
        raise Invalid(f"A name has 1 to {LONGEST_NAME} printable characters.", field="name")
    return spelled


def checked_slug(slug: str) -> str:
    """Return a short name, or raise Invalid: 1 to 63 lower-case letters, digits and inner hyphens."""
    if not _SLUG.fullmatch(slug):
        raise Invalid("A short name has 1 to 63 of a–z, 0–9 and inner hyphens.", field="slug")
    return slug
