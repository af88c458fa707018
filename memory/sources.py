"""Hashes of sources: one digest has many spellings, and the absence of one says nothing. Pure."""

import re

_ALGORITHM_BY_LENGTH = {32: "md5", 40: "sha1", 56: "sha224", 64: "sha256", 96: "sha384", 128: "sha512"}
_SPELLING = re.compile(r"(?:(?P<algorithm>[a-z0-9-]{2,12})[:=-])?(?P<digest>[0-9a-f]{32,128})", re.ASCII)


def digest_of(source_hash: str | None) -> str:
    """Return the one spelling of a source hash ("" for none).

    Hexadecimal digests are lower-cased and named by their algorithm, taken from the prefix or else from
    their length; anything else (a version, an ETag) is compared as it is, without the spaces around it.
    """
    bare = (source_hash or "").strip()
    match = _SPELLING.fullmatch(bare.lower())
    if not match:
        return bare
    digest = match["digest"]
    algorithm = (match["algorithm"] or _ALGORITHM_BY_LENGTH.get(len(digest), "hex")).replace("-", "")
    return f"{algorithm}:{digest}"


def comparable(one: str, other: str) -> bool:
    """Say whether two digests can be told apart: both are there, and of one algorithm."""
    return bool(one and other) and _algorithm(one) == _algorithm(other)


def differs(stored: str, current: str) -> bool:
    """Say whether the source has changed. What can't be compared is never called changed."""
    return comparable(stored, current) and stored != current


def _algorithm(digest: str) -> str:
    head, colon, tail = digest.partition(":")
    return head if colon and re.fullmatch(r"[0-9a-f]{32,128}", tail, re.ASCII) else ""
