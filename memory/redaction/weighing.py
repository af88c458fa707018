"""Whether a value that a name is given is a secret, by how strongly the name speaks."""

from __future__ import annotations

import re

from memory.redaction.force import Force
from memory.redaction.shapes import (
    is_hex,
    is_made_up,
    is_mixed,
    is_ordinary,
    is_placeholder,
    is_random,
    is_reference,
    is_uuid,
    is_wordy,
)


def is_secret_value(value: str, force: Force, *, literal: bool) -> bool:
    """Weigh a value by its name's force; `literal` when quotes or a notation mark it as a text of its own."""
    if is_placeholder(value) or is_reference(value):
        return False
    if force is Force.PASSWORD:
        return _is_password(value, literal=literal)
    if force is Force.SECRET:
        return _is_key(value)
    return is_random(value, least=16) and not is_uuid(value) and (not is_hex(value) or len(value) >= 32)


def _is_password(value: str, *, literal: bool) -> bool:
    if len(value) < 4 or (" " in value and not any(c.isdigit() for c in value)):
        return False
    if value.isdigit():
        return True
    if value.isalpha() or (is_wordy(value) and not any(c.isdigit() for c in value)):
        return literal and value.isascii() and (len(value) >= 5) and not _is_name(value)
    return is_uuid(value) or not is_ordinary(value)


def _is_name(value: str) -> bool:
    return re.fullmatch(r"[a-zA-Z][a-z]*(?:[_-][a-z]+)+|[A-Z]+(?:_[A-Z]+)+|[a-z]+(?:[A-Z][a-z]+)+", value) is not None


def _is_key(value: str) -> bool:
    if is_uuid(value):
        return True
    if " " in value or not value.isascii():
        return False
    signs = sum(not c.isalnum() and c not in "-_./:" for c in value)
    return (is_random(value, least=8) and (is_made_up(value) or len(value) >= 12)) or (
        signs >= 2 and len(value) >= 8 and is_made_up(value)
    )


def is_spoken_key(value: str, force: Force) -> bool:
    """Say whether an environment's secret was made up of words and numbers, as people do for local use."""
    made_up = force is Force.SECRET and len(value) >= 10 and is_mixed(value) and any(c.isdigit() for c in value)
    return made_up and not is_placeholder(value) and not is_reference(value)
