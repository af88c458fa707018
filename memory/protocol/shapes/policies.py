"""A project's write policy: rules in order, and what becomes of the rest."""

from typing import Annotated, Literal
from uuid import UUID

import re2
from pydantic import AfterValidator, Field

from memory.protocol.fields import Label, Line, Share
from memory.protocol.shapes.bases import Answer, Inputs
from memory.protocol.vocabulary import VerdictState


def _linear(pattern: str) -> str:
    """Take what RE2 takes: no pattern can then stall a write."""
    try:
        re2.compile(pattern)
    except re2.error:
        raise ValueError("must be a regular expression that RE2 accepts (no backreferences, no lookaround)") from None
    return pattern


class PolicyRule(Inputs):
    """What a write must have for the rule to decide: all that is given."""

    content_kinds: list[Label] | None = Field(None, max_length=50)
    sources: list[Label] | None = Field(None, max_length=50)
    from_agents: bool | None = Field(
        None, description="Only writes by keys (true) or only by signed-in members (false)."
    )
    below_confidence: Share | None = None
    longer_than: int | None = Field(None, ge=0, description="Characters.")
    matches: Annotated[Line, AfterValidator(_linear)] | None = Field(
        None, description="An RE2 expression in the content."
    )
    then: Literal["REJECT", "DEFER"]
    because: Line


class PolicyInputs(Inputs):
    """The whole policy; what is omitted goes back to its default."""

    mode: Literal["open", "review", "none"] = Field(
        "open",
        description="open: accepted; review: agents' writes wait for a person; none: nothing to judge by, all waits.",
    )
    rules: list[PolicyRule] = Field(default_factory=list, max_length=100)
    on_conflict_for_agents: Literal["record", "defer", "reject"] = "record"
    on_finding: Literal["redact", "reject"] = "redact"
    restore_needs_force: bool = False


class PolicyAnswer(Answer):
    """The policy in force."""

    mode: str
    rules: list[PolicyRule]
    on_conflict_for_agents: str
    on_finding: str
    restore_needs_force: bool


class WouldHave(Answer):
    """A write that the policy would not have let in."""

    id: UUID
    kind: Literal["record", "proposal"]
    state: VerdictState
    basis: str
    detail: str


class DryRunAnswer(Answer):
    """What a policy would have done with the last writes that the caller may see. Nothing is changed by asking."""

    looked_at: int
    accepted: int
    held: int
    rejected: int
    writes: list[WouldHave]
