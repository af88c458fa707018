"""Tokens known by their own form, whatever stands beside them."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator

import re2

from memory.redaction.detectors.encoded import opened
from memory.redaction.finding import Finding
from memory.redaction.force import is_other_name
from memory.redaction.shapes import is_hex, is_ordinary, is_placeholder, is_strong

_JWT = re2.compile(r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*){0,3}")
_AWS_ID = re2.compile(r"\b(?:AKIA|ASIA|ABIA|ACCA|AROA|AIDA)[A-Z2-7]{16}\b|\b(?:AKIA|ASIA)[A-Z0-9]{16}\b")
_RUN = re2.compile(r"[A-Za-z0-9_+/~.-]{20,}={0,2}")
_PREFIXED = re.compile(r"((?:[A-Za-z][A-Za-z0-9]{0,15}[_-]){1,4}|[A-Za-z]{1,4}\.)([A-Za-z0-9_+/~-]{16,})={0,2}$")
_PREFIXED_HEX = re.compile(r"(?:[a-z][a-z0-9]{1,15}_){1,3}[0-9a-f]{32,96}")
_GIVEN = re.compile(r"([A-Za-z][\w.-]{1,40})[\"']?[ \t]{0,4}(?:=|:|:=|=>)[ \t]{0,4}[\"']?$")
_WHOLE = re.compile(r"[A-Za-z0-9]{26,96}")
_PURE = re.compile(r"[A-Za-z0-9+/_-]{32,88}={0,2}$")
_AWS_SECRET = re.compile(r"[A-Za-z0-9+/]{40}$")
_LIMIT = 512  # characters; what is longer is a blob, and named or decoded if it is a secret
_IDENTIFIERS = re.compile(
    r"""(?xi)
    (?:req|request|msg|message|evt|event|cus|cust|customer|pi|price|prod|product|sub|in|inv|invoice|ch|charge|chatcmpl
    |cmpl|toolu|run|trace|span|job|task|user|usr|org|acct|account|txn|ord|order|file|thread|asst|call|resp|item|step|doc
    |img|image|bucket|build|deploy|commit|rev|sha\d*|md5|etag|blob|layer|pod|node|vol|snap|ami|subnet|vpc|sg|eni|rtb|igw
    |i|arn|urn|id|uuid|guid|chunk|main|vendor|bundle|index|app|styles|assets?|v\d+|release|test|tmp|cache|hash|digest
    |integrity|version|batch|session|conv|conversation|page|node|dag|fact|rec|record|mem|memory|ws|proj|project|team
    |group|role|policy|queue|topic|stream|shard|part|snapshot|backup|ref|pr|issue|ticket|case|lead|contact|email|web
    |src|pm|re|po|tr|ba|card|cs_test|seti|mandate|dp|du|plan|prv|feat|cap|com|org|net|io|www|ip|ec2|lambda)[_.-]
    """
)
_ENDS_IN_UUID = re.compile(r"(?i)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$")
_BLOB = re.compile(  # public keys, addresses of coins and files, images, archives
    r"AAAA|_Z[A-Z]|MII|MFkwEwYHKoZI|MCowBQYDK2VwAyEA|[13][a-km-zA-HJ-NP-Z1-9]{32,33}$|Qm[a-km-zA-HJ-NP-Z1-9]{44}$"
    r"|iVBORw0KGgo|/9j/|R0lGOD|UklGR|PHN2Zy|JVBERi|UEsDB|H4sI"
)
_DIGIT = re.compile(r"\d")
_LINE = re.compile(r"[A-Za-z0-9+/]{48,80}={0,2}\\?n?$")
_NO_UPPER, _NO_LOWER, _NO_DIGITS = (
    dict.fromkeys(map(ord, signs)) for signs in (string.ascii_uppercase, string.ascii_lowercase, string.digits)
)
_HASH_BEFORE = re.compile(
    r"(?i)(?:sha-?\d{1,3}|\bh1|md5|blake\w*|integrity|etag|digest|checksum|hash|fingerprint|commit|rev(?:ision)?|cid"
    r"|base64,|ssh-[a-z0-9-]+|ecdsa-\S+|arn:[\w:-]{1,64}|xxh\d*|crc\d*)[\"']?[ :=(\-,~]{0,4}[\"']?[wW/]?[\"']?$"
)


def web_tokens(text: str) -> Iterator[Finding]:
    """Yield JSON Web Tokens, signed and encrypted ones."""
    for token in _JWT.finditer(text):
        if not is_placeholder(token.group()[:64]):
            yield Finding("jwt", token.start(), token.end())


def cloud_ids(text: str) -> Iterator[Finding]:
    """Yield AWS access key ids standing alone."""
    for found in _AWS_ID.finditer(text):
        if "EXAMPLE" not in found.group():
            yield Finding("aws-access-key-id", found.start(), found.end())


def lone_tokens(text: str) -> Iterator[Finding]:
    """Yield random strings that no name stands beside: `prefix_random`, an unpaired secret key."""
    for run in _RUN.finditer(text):
        start, end = run.span()
        if end - start > _LIMIT:
            continue
        value = text[start:end].rstrip(".-~")
        if not _DIGIT.search(value) or is_hex(value):  # a digest has a prefix, or a name beside it, if it is a secret
            continue
        kind = _lone_kind(value) or _given_kind(text, start, value)
        if kind is not None and not _is_shown(text, start, end) and not is_placeholder(value) and opened(value) is None:
            yield Finding(kind, start, start + len(value))


def _is_shown(text: str, start: int, end: int) -> bool:
    """Say whether a run is made to be shown: a part of a link, a digest, a line of a certificate or an attachment."""
    if text[max(0, start - 1) : start + 2] == "://" or _BLOB.match(text, start, end) or _in_block(text, start, end):
        return True
    return _HASH_BEFORE.search(text[max(0, start - 80) : start]) is not None


def _lone_kind(value: str) -> str | None:
    if "AAAA" in value or _IDENTIFIERS.match(value) or _ENDS_IN_UUID.search(value) or is_ordinary(value):
        return None
    if _PREFIXED_HEX.fullmatch(value) and len(set(value)) > 10:
        return "token"
    prefixed = _PREFIXED.match(value)
    if prefixed is not None and is_strong(prefixed.group(2)) and _is_whole(prefixed.group(2)):
        return "token"
    if _AWS_SECRET.match(value) and _is_mixed(value) and is_strong(value):
        return "aws-secret-access-key"
    if (
        _PURE.match(value)
        and _is_mixed(value)
        and _is_even(value)
        and is_strong(value)
        and value.count("/") <= len(value) // 12
    ):
        return "token"
    return None


def _given_kind(text: str, start: int, value: str) -> str | None:
    """Say `token` for a random value that a name of no meaning is given, as in `owm = "86ajm..."`."""
    given = _GIVEN.search(text[max(0, start - 48) : start])
    if given is None or is_other_name(given.group(1) + ":") or not _WHOLE.fullmatch(value):
        return None
    return "token" if is_strong(value) and _is_even(value) and not _IDENTIFIERS.match(value) else None


def _in_block(text: str, start: int, end: int) -> bool:
    """Say whether a run is one of several full lines, as in a certificate or an attachment."""
    if not 48 <= end - start <= 80:
        return False
    before = text[max(0, start - 100) : start].rstrip().rpartition("\n")[2].strip()
    after = text[end : end + 100].lstrip().partition("\n")[0].strip()
    return any(line.startswith("-----") or _LINE.fullmatch(line) for line in (before, after) if line)


def _is_mixed(value: str) -> bool:
    upper = len(value) - len(value.translate(_NO_UPPER))
    lower = len(value) - len(value.translate(_NO_LOWER))
    digits = len(value) - len(value.translate(_NO_DIGITS))
    return min(upper, lower) >= len(value) // 6 and digits >= max(2, len(value) // 24)


def _is_whole(tail: str) -> bool:
    """Say whether a tail is one random run rather than an identifier's many parts."""
    return _is_even(tail) and (_is_mixed(tail) or max(map(len, re.split(r"[^A-Za-z0-9]+", tail))) >= 16)


def _is_even(tail: str) -> bool:
    """Say whether letters and digits are strewn through the whole, not a word with a number."""
    return len(re.findall(r"[A-Za-z]+|\d+", tail)) >= 5
