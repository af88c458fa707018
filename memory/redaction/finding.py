"""What a detector says about a text: a kind and a place, never the secret itself."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """A secret of one kind at `text[start:end]`; offsets count characters."""

    kind: str
    start: int
    end: int

    @property
    def placeholder(self) -> str:
        """The words put where the secret was."""
        return f"[redacted:{self.kind}]"


@dataclass(frozen=True, slots=True)
class Redacted:
    """A text without its secrets, and where they were in the text as it came."""

    text: str
    findings: tuple[Finding, ...]


def merged(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Order findings and join those that overlap; of joined ones, the first given lends its kind."""
    ranked = sorted(enumerate(findings), key=lambda each: each[1].start)
    kept: list[Finding] = []
    lender = 0
    for rank, finding in ranked:
        if not kept or finding.start >= kept[-1].end:
            kept.append(finding)
            lender = rank
            continue
        kind = finding.kind if rank < lender else kept[-1].kind
        kept[-1] = Finding(kind, kept[-1].start, max(kept[-1].end, finding.end))
        lender = min(lender, rank)
    return tuple(kept)
