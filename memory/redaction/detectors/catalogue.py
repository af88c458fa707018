"""Tokens of known providers, by the rules of Kingfisher (run in this process; its validator is never asked)."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from kingfisher_sdk import Rules, Scanner, __version__

from memory.redaction.finding import Finding
from memory.redaction.shapes import is_placeholder, is_uuid

CATALOGUE = f"kingfisher-{__version__}"
SHORTEST = 10  # characters that any rule of the catalogue takes at least
_NAMES_SOMETHING = re.compile(  # rules for the public half of a credential: a client's id, a host, an account's name
    r"-(?:client|tenant|app|application|account|auth|api|access)-id(?:\.\d+)?$"
    r"|-(?:host|name|domain|username|repository|address|rest-url|instance-url|project-url|jfrog-url)(?:\.\d+)?$"
)
_OURS = re.compile(  # rules whose match takes more than the secret; detectors of our own keep user and host
    r"curl-auth-|credential-uri$|connection-string$|\.jwt$|kubernetes-secret-yaml$|gcp-service-account$|default-credentials$|\.private-key$"
)
_loading = threading.Lock()


def provider_tokens(text: str) -> Iterator[Finding]:
    """Yield what the catalogue's rules match, helper values of two-part credentials included."""
    if len(text) < SHORTEST:
        return
    found = _scanner().scan(text)
    spans = [(each.location["start_offset"], each.location["end_offset"]) for each in found]
    at = _characters(text, [place for span in spans for place in span])
    for each, (start, end) in zip(found, spans, strict=True):
        value = text[at[start] : at[end]]
        if not _passes(each.rule_id, value):
            yield Finding(kind_of_rule(each.rule_id), at[start], at[end])


@cache
def kind_of_rule(rule_id: str) -> str:
    """Turn a rule's id into a kind: `betterleaks.github-pat` is a `github-token`."""
    name = re.sub(r"(?:[._-]\d+)+$", "", rule_id.rpartition(".")[2] if "." in rule_id else rule_id).lower()
    name = re.sub(r"[^a-z0-9]+", "-", name).strip("-")
    return re.sub(r"-(?:fine-grained-)?(?:pat|access-token|api-token|personal-access-token)$", "-token", name)


def load() -> None:
    """Compile the rules, or read them compiled from the cache directory; done once a process."""
    _scanner()


def _passes(rule_id: str, value: str) -> bool:
    if _NAMES_SOMETHING.search(rule_id) or _OURS.search(rule_id) or (rule_id.endswith("-id") and is_uuid(value)):
        return True
    return "\n" not in value and is_placeholder(value)


def _scanner() -> Scanner:
    with _loading:
        return _compiled()


@cache
def _compiled() -> Scanner:
    folder = os.environ.get("DATA_DIR")
    where = Path(folder) / "redaction-rules" if folder else None
    if where is not None:
        where.mkdir(mode=0o700, parents=True, exist_ok=True)
    return Scanner(Rules(confidence="low", cache_dir=where))


def _characters(text: str, places: list[int]) -> dict[int, int]:
    """Map byte offsets in the UTF-8 form of `text` to character offsets, in one pass."""
    if text.isascii():
        return {place: place for place in places}
    data, at, characters, done = text.encode(), {}, 0, 0
    for place in sorted(set(places)):
        characters += len(data[done:place].decode(errors="ignore"))
        at[place], done = characters, place
    return at
