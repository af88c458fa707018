"""A project's policy as a value, and its judgement of a write. Pure."""

from dataclasses import dataclass
from typing import Literal, Protocol

import re2

from memory.protocol.shapes import PolicyRule, Verdict
from memory.protocol.vocabulary import VerdictState


class Judged(Protocol):
    """What a policy looks at, of a write or of what became of one."""

    @property
    def content(self) -> str: ...
    @property
    def content_kind(self) -> str | None: ...
    @property
    def source(self) -> str: ...
    @property
    def confidence(self) -> float: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What a project lets in. The defaults are those of a project that never said anything."""

    mode: Literal["open", "review", "none"] = "open"
    rules: tuple[PolicyRule, ...] = ()
    on_conflict_for_agents: Literal["record", "defer", "reject"] = "record"
    on_finding: Literal["redact", "reject"] = "redact"
    restore_needs_force: bool = False

    def judge(self, write: Judged, *, by_agent: bool) -> Verdict:
        """Return the verdict of the first rule that fits, or else the mode's."""
        for number, rule in enumerate(self.rules, 1):
            if fits(rule, write, by_agent=by_agent):
                return verdict(VerdictState(rule.then), kind="rule", basis=f"rule {number}", detail=rule.because)
        if self.mode == "none":
            return verdict(
                VerdictState.BLINDSPOT, kind="mode", basis="no policy", detail="There is nothing to judge by."
            )
        if self.mode == "review" and by_agent:
            return verdict(VerdictState.DEFER, kind="mode", basis="review", detail="Agents' writes wait for a person.")
        return verdict(VerdictState.ACCEPT, kind="mode", basis=self.mode, detail="No rule says otherwise.")


def fits(rule: PolicyRule, write: Judged, *, by_agent: bool) -> bool:
    """Say whether a write has all that the rule names."""
    return (
        (rule.content_kinds is None or write.content_kind in rule.content_kinds)
        and (rule.sources is None or write.source in rule.sources)
        and (rule.from_agents is None or rule.from_agents is by_agent)
        and (rule.below_confidence is None or write.confidence < rule.below_confidence)
        and (rule.longer_than is None or len(write.content) > rule.longer_than)
        and (rule.matches is None or re2.search(rule.matches, write.content) is not None)
    )


def verdict(
    state: VerdictState, *, kind: str, basis: str, detail: str, evidence: list[str | float] | None = None
) -> Verdict:
    """Return a verdict with exactly its five fields."""
    return Verdict(state=state, kind=kind, basis=basis, evidence=evidence or [], detail=detail)
