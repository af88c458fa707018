"""The order in which a text is read and its secrets are taken out."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from memory.redaction.detectors.catalogue import provider_tokens
from memory.redaction.detectors.connections import links_with_credentials
from memory.redaction.detectors.encoded import encoded_by
from memory.redaction.detectors.headers import authorization, command_lines, cookies
from memory.redaction.detectors.keys import private_keys
from memory.redaction.detectors.named import named_secrets
from memory.redaction.detectors.tokens import cloud_ids, lone_tokens, web_tokens
from memory.redaction.detectors.wrapped import wrapped_secrets
from memory.redaction.finding import Finding, Redacted, merged
from memory.redaction.marks import is_marked
from memory.redaction.own_rules import NO_OWN_RULES, OwnRules
from memory.redaction.reading import Reading, folded

Detector = Callable[[str], Iterator[Finding]]

PLAIN: tuple[Detector, ...] = (  # where findings overlap, the detector named first says what kind it is
    private_keys,
    provider_tokens,
    web_tokens,
    cloud_ids,
    links_with_credentials,
    authorization,
    cookies,
    command_lines,
    named_secrets,
    lone_tokens,
)
_encoded_secrets = encoded_by(PLAIN)
DETECTORS: tuple[Detector, ...] = (private_keys, provider_tokens, _encoded_secrets, wrapped_secrets, *PLAIN[2:])
UNMARKED: tuple[Detector, ...] = (provider_tokens, _encoded_secrets, named_secrets)  # what no mark announces
PASSES = 4  # taking one secret out can show another; a text is read until nothing more is found


def redact(text: str, *, own: OwnRules = NO_OWN_RULES) -> Redacted:
    """Put a placeholder such as `[redacted:github-token]` where a secret was; the words around it stay.

    Findings carry offsets into `text` as it came. Redacting the result again changes nothing. Costs time linear in
    the text's length.
    """
    found: tuple[Finding, ...] = ()
    for _ in range(PASSES):
        reading = _without(text, found)
        more = [_in_source(reading, each) for each in _search(reading.text, own)]
        grown = merged((*found, *more))
        if grown == found:
            break
        found = grown
    return Redacted(_without(text, found).text, found)


def _search(text: str, own: OwnRules) -> list[Finding]:
    reading = folded(text)
    detectors = DETECTORS if is_marked(reading.text) else UNMARKED
    found = (
        _in_source(reading, each) for detector in (*own.detectors(), *detectors) for each in detector(reading.text)
    )
    return [each for each in found if not own.allows(text[each.start : each.end])]


def _without(text: str, found: tuple[Finding, ...]) -> Reading:
    return Reading(text, ((each.start, each.end, each.placeholder) for each in found))


def _in_source(reading: Reading, finding: Finding) -> Finding:
    return Finding(finding.kind, *reading.origin(finding.start, finding.end))
