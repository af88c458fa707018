"""What goes through the gates: a write not yet made, and what has been found out about it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memory.policies import Policy
from memory.protocol.shapes import Answer, Consistency, Verdict, WriteInputs
from memory.versions import Authorship
from orgs.caller import Caller


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A redacted write. `by`: whose it is. `replaces`: what it shall supersede. `gate`: which one decided."""

    caller: Caller
    by: Authorship
    inputs: WriteInputs
    policy: Policy
    redactions: Mapping[str, int]
    now: datetime
    replaces: UUID | None = None
    verdict: Verdict | None = None
    consistency: Consistency | None = None
    gate: str | None = None


@dataclass(frozen=True, slots=True)
class Stop:
    """A gate's answer, in one of the declared forms."""

    form: str
    answer: Answer


Gate = Callable[[Draft], Draft | Stop]
