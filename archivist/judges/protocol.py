"""What a judge is given and what it may answer. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol
from uuid import UUID


class Bearing(StrEnum):
    """How the new record bears on an older one."""

    DUPLICATE = "duplicate"
    REFINES = "refines"
    UPDATES = "updates"
    CONTRADICTS = "contradicts"
    FIXES = "fixes_issue"
    RELATES = "relates"


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One record as a judge reads it: redacted text, and where it says it comes from.

    `meaning` is a unit vector, made by `model`.
    """

    id: UUID
    content: str
    fact_key: str | None = None
    source_id: str | None = None
    observed_at: datetime | None = None
    meaning: Sequence[float] | None = None
    model: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One answer: how the new record bears on `about`, how surely (0–1), and why, in a word."""

    about: UUID
    bearing: Bearing
    weight: float
    reason: str


class Judge(Protocol):
    """Compares texts. Its answers are checked by whoever acts on them."""

    name: str
    version: str

    def judge(self, new: Told, older: Sequence[Told]) -> Sequence[Finding]:
        """Return what it finds about any of the older records; nothing about most."""
