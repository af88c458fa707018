"""What one organization adds: patterns of its own, and values that are no secrets to it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import re2

from memory.redaction.detectors.personal import PERSONAL_KINDS
from memory.redaction.finding import Finding

LONGEST_PATTERN = 512  # characters of an expression
LARGEST_PROGRAM = 20_000  # instructions it may compile to
_KIND_LETTERS = re2.compile(r"[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?")


@dataclass(frozen=True, slots=True)
class Pattern:
    """An expression in RE2's syntax and the kind of what it matches; group 1, where there is one, is the secret."""

    kind: str
    expression: str

    def __post_init__(self) -> None:
        """Refuse, with a ValueError that says why, what RE2 cannot run in linear time, and what matches nothing."""
        if _KIND_LETTERS.fullmatch(self.kind) is None:
            raise ValueError("A kind is small letters, digits and hyphens.")
        if len(self.expression) > LONGEST_PATTERN:
            raise ValueError(f"An expression has at most {LONGEST_PATTERN} characters.")
        compiled = _compiled(self.expression)
        if compiled.programsize > LARGEST_PROGRAM:
            raise ValueError("The expression is too large: make its repetitions smaller.")
        if compiled.search("") is not None:
            raise ValueError("The expression matches the empty text, and so every text.")

    def findings(self, text: str) -> Iterator[Finding]:
        """Yield every match."""
        compiled = _compiled(self.expression)
        group = min(compiled.groups, 1)
        for match in compiled.finditer(text):
            if match.start(group) >= 0:
                yield Finding(self.kind, match.start(group), match.end(group))


@dataclass(frozen=True, slots=True)
class OwnRules:
    """An organization's patterns, the digests of exact values that stay (see `digest`), and kinds of personal data."""

    patterns: tuple[Pattern, ...] = ()
    allowed: frozenset[str] = frozenset()
    personal: frozenset[str] = frozenset()  # of PERSONAL_KINDS; none unless the organization asks

    def __post_init__(self) -> None:
        """Refuse kinds of personal data that there are none of, with a ValueError."""
        if unknown := self.personal - PERSONAL_KINDS.keys():
            raise ValueError(f"There is no personal data of the kind {', '.join(sorted(unknown))}.")

    def detectors(self) -> Iterator[Callable[[str], Iterator[Finding]]]:
        """Yield what looks for this organization's own kinds."""
        yield from (pattern.findings for pattern in self.patterns)
        yield from (detector for kind, detector in PERSONAL_KINDS.items() if kind in self.personal)

    def allows(self, value: str) -> bool:
        """Say whether exactly this value is to stay."""
        return bool(self.allowed) and digest(value) in self.allowed


NO_OWN_RULES = OwnRules()


def digest(value: str) -> str:
    """Name a value without keeping it: SHA-256 of its UTF-8 form, in hexadecimal digits."""
    return hashlib.sha256(value.encode(errors="surrogatepass")).hexdigest()


def _compiled(expression: str) -> re2._Regexp:
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(expression, options)
    except re2.error as error:
        raise ValueError(f"The expression is refused: {error}") from None
