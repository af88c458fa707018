"""The form of API keys: `pal_<public id>_<secret><checksum>`.

The public id finds the key and may be shown; the secret is 256 bits of chance, so that a fast keyed hash
is enough. The checksum tells a mistyped key, or a leaked one in a text, from something that only looks alike.
Pure: no framework is imported here.
"""

import hmac
import re
import secrets
import string
import zlib
from dataclasses import dataclass, field

_ALPHABET = string.digits + string.ascii_uppercase + string.ascii_lowercase
_PUBLIC_LENGTH, _SECRET_LENGTH, _CHECKSUM_LENGTH = 12, 43, 6

PATTERN = re.compile(rf"pal_([0-9A-Za-z]{{{_PUBLIC_LENGTH}}})_[0-9A-Za-z]{{{_SECRET_LENGTH + _CHECKSUM_LENGTH}}}")
"""What a key looks like in a text; `parse` says whether it is one."""


@dataclass(frozen=True, slots=True)
class Key:
    """A whole key. Its text is left out of every representation, and so out of logs and traces."""

    public_id: str
    text: str = field(repr=False)

    def digest(self, pepper: str) -> str:
        """Hash the key under the installation's pepper (HMAC-SHA256, 64 hexadecimal digits)."""
        return hmac.digest(pepper.encode(), self.text.encode(), "sha256").hex()

    def fits(self, digest: str, *, pepper: str) -> bool:
        """Say whether this is the key that was hashed, in a time that tells nothing."""
        return hmac.compare_digest(self.digest(pepper), digest)


def mint() -> Key:
    """Make a new key."""
    public_id, secret = _chance(_PUBLIC_LENGTH), _chance(_SECRET_LENGTH)
    body = f"pal_{public_id}_{secret}"
    return Key(public_id, body + _checksum(body))


def parse(text: str) -> Key | None:
    """Read a key, or nothing if it does not have the form or its checksum does not fit."""
    found = PATTERN.fullmatch(text)
    if not found or _checksum(text[:-_CHECKSUM_LENGTH]) != text[-_CHECKSUM_LENGTH:]:
        return None
    return Key(found[1], text)


def _chance(length: int) -> str:
    return "".join(secrets.choice(_ALPHABET) for _ in range(length))


def _checksum(body: str) -> str:
    number, digits = zlib.crc32(body.encode()), ""
    for _ in range(_CHECKSUM_LENGTH):
        number, digit = divmod(number, len(_ALPHABET))
        digits = _ALPHABET[digit] + digits
    return digits
