"""Scores redaction on a labelled set: `python -m tests.quality.redaction [--half tuned|held|all]`.

Reads `secrets.jsonl` (`id text spans kind context`, spans in characters) from the directory PALIMPSEST_QUALITY_DATA.
Half of it, chosen by a hash of the id, may be looked at while the rules are written; the other half says how they do.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memory.redaction import RULES_VERSION, redact, warm

PIECE = 12  # characters of a secret that must not remain in one piece
Item = dict[str, Any]


@dataclass
class Score:
    """Tallies for one kind or context."""

    secrets: int = 0
    removed: int = 0
    harmless: int = 0
    changed: int = 0

    def line(self, name: str) -> str:
        """Say recall and false positives, or `-` where there is nothing to count."""
        recall = f"{self.removed / self.secrets:.3f}" if self.secrets else "-"
        wrong = f"{self.changed / self.harmless:.3f}" if self.harmless else "-"
        return (
            f"{name:<34} secrets {self.secrets:>4} removed {recall:>6}   harmless {self.harmless:>4} changed {wrong:>6}"
        )


def is_held(item: Item) -> bool:
    """Say whether an item belongs to the half that rules are not tuned on."""
    return hashlib.sha256(item["id"].encode()).digest()[0] % 2 == 1


def items(directory: Path, *, half: str) -> Iterator[Item]:
    """Yield the items of one half, or all."""
    for line in (directory / "secrets.jsonl").read_text(encoding="utf-8").splitlines():
        item = json.loads(line)
        if half == "all" or is_held(item) == (half == "held"):
            yield item


def is_gone(item: Item, text: str) -> bool:
    """Say whether no secret of an item, nor any longer piece of one, is left in `text`."""
    for start, end in item["spans"]:
        secret = item["text"][start:end]
        width = min(PIECE, max(4, (len(secret) + 1) // 2))
        if any(secret[i : i + width] in text for i in range(len(secret) - width + 1)):
            return False
    return True


def measure(chosen: list[Item]) -> tuple[dict[str, Score], float]:
    """Redact every item; give scores by kind, context and in all, and microseconds of processor time per KiB."""
    scores: dict[str, Score] = defaultdict(Score)
    began = time.process_time()
    texts = [redact(item["text"]).text for item in chosen]
    spent = time.process_time() - began
    for item, text in zip(chosen, texts, strict=True):
        for name in ("all", f"kind {item['kind']}", f"context {item['context']}"):
            _count(scores[name], item, text)
    return scores, spent * 1e6 / (sum(len(item["text"].encode()) for item in chosen) / 1024)


def _count(score: Score, item: Item, text: str) -> None:
    if not item["should_be_redacted"]:
        score.harmless += 1
        score.changed += text != item["text"]
        return
    score.secrets += 1
    score.removed += is_gone(item, text)


def main() -> int:
    """Print a table; fail below recall .95 or above a false-positive rate of .01."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--half", choices=("tuned", "held", "all"), default="tuned")
    directory = os.environ.get("PALIMPSEST_QUALITY_DATA")
    half = parser.parse_args().half
    if not directory:
        print("PALIMPSEST_QUALITY_DATA names no directory with secrets.jsonl")
        return 2
    warm()
    scores, speed = measure([*items(Path(directory), half=half)])
    print(f"rules {RULES_VERSION}, half {half}, {speed:.0f} microseconds per KiB of short texts")
    for name in sorted(scores):
        print(scores[name].line(name))
    whole = scores["all"]
    return int(whole.removed < 0.95 * whole.secrets or whole.changed > 0.01 * whole.harmless)


if __name__ == "__main__":
    sys.exit(main())
