"""The quality sets as the product takes them: records to remember, questions with the records that answer them.

The files are JSON lines, `{"type": "record" | "query", "conv": …, "id": …}`; a question is put to the records of its
own `conv` only, which becomes a workspace. They are found through PALIMPSEST_QUALITY_DATA, and are not the product's.
"""

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

VARIABLE = "PALIMPSEST_QUALITY_DATA"
NAMES = ("locomo", "beam", "xquad")
NOT_COUNTED = frozenset({"adversarial"})  # questions whose answer is not there; shown, but in no total


@dataclass(frozen=True, slots=True)
class Told:
    """One record of a set."""

    id: str
    workspace: str
    payload: dict[str, Any]

    @property
    def content(self) -> str:
        """Return the text."""
        return str(self.payload["content"])


@dataclass(frozen=True, slots=True)
class Question:
    """One question of a set, and the ids of the records that answer it."""

    id: str
    workspace: str
    category: str
    text: str
    answers: frozenset[str]

    @property
    def origin(self) -> str:
        """Return the conversation that it is about, or the article."""
        answer = min(self.answers)
        return self.workspace if "/" in answer else answer.split("-")[2]


def folder() -> Path | None:
    """Return where the sets are, if anywhere."""
    named = os.environ.get(VARIABLE)
    return Path(named) if named else None


def read(path: Path) -> tuple[Sequence[Told], Sequence[Question]]:
    """Return the records and the questions of one file."""
    with path.open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    records = [_told(row) for row in rows if row["type"] == "record"]
    asked = [row for row in rows if row["type"] == "query"]
    questions = [Question(r["id"], r["conv"], r["category"], r["query"], frozenset(r["relevant"])) for r in asked]
    return records, questions


def halves(questions: Sequence[Question]) -> tuple[Sequence[Question], Sequence[Question]]:
    """Return the questions of every other conversation or article, and the rest."""
    origins = sorted({question.origin for question in questions})
    first = set(origins[::2])
    return [q for q in questions if q.origin in first], [q for q in questions if q.origin not in first]


def _told(row: dict[str, Any]) -> Told:
    """A turn of a conversation is told as a chat's importer would: who said it, in which session, and when."""
    content = f"{row['speaker']}: {row['text']}" if row.get("speaker") else row["text"]
    if row.get("image_caption"):
        content += f" [{row['image_caption']}]"
    payload: dict[str, Any] = {"content": content, "workspace": row["conv"]}
    if row.get("session") is not None:
        payload["session"] = f"{row['conv']}/{row['session']}"
    if said_at := _instant(row.get("date")):
        payload["observed_at"] = said_at
    return Told(row["id"], row["conv"], payload)


def _instant(date: str | None) -> str | None:
    for written in ("%I:%M %p on %d %B, %Y", "%B-%d-%Y"):
        with suppress(ValueError):
            return datetime.strptime(date or "", written).replace(tzinfo=UTC).isoformat()
    return None
