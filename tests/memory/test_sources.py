"""One digest has many spellings; what can't be compared is never called changed."""

import pytest

from memory.sources import differs, digest_of

HEX = "9f2c" * 16
OTHER = "0a1b" * 16
STORED = digest_of(f"sha256:{HEX}")


@pytest.mark.parametrize(
    ("current", "changed"),
    [
        (f"sha256:{HEX}", False),
        (f"sha256:{HEX.upper()}", False),
        (HEX, False),
        (f"  sha256:{HEX} ", False),
        (f"SHA256:{HEX}", False),
        (f"sha-256:{HEX}", False),
        (f"sha256:{OTHER}", True),
        (OTHER.upper(), True),
        ("", False),
        (None, False),
        ("md5:" + "ab" * 16, False),  # another algorithm says nothing about this digest
        ("v2", False),
    ],
)
def test_fc38_a_source_has_changed_only_when_a_comparable_digest_differs(current: str | None, changed: bool) -> None:
    assert differs(STORED, digest_of(current)) is changed


def test_fc38_a_record_stored_without_a_hash_is_never_called_changed() -> None:
    assert differs(digest_of(None), STORED) is False


def test_versions_and_etags_are_compared_as_they_are() -> None:
    assert differs(digest_of("rev-7"), digest_of("rev-8")) is True
    assert differs(digest_of("rev-7"), digest_of(" rev-7 ")) is False
