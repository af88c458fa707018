"""The measured tables as Markdown."""

from collections.abc import Mapping
from dataclasses import astuple
from pathlib import Path

from tests.quality.metrics import Quality

RESULTS = Path(__file__).parent / "RESULTS.md"
VARIABLE = "PALIMPSEST_QUALITY_REPORT"
_HEAD = """# Search, measured

The command that makes this file (the sets are not part of this repository):

    PALIMPSEST_QUALITY_DATA=<folder> PALIMPSEST_QUALITY_REPORT=1 python3 deploy/test.py tests/quality/test_retrieval.py

Every record went in through `remember` (a project per set, a workspace per conversation or language; speaker in the
text, session and date in their fields), got its vector from the default model through the outbox, and every question
went through `search`. Beside the product: each of its parts alone, over the same texts. `words alone` is the product
with no vectors. Totals leave out the adversarial questions, whose premise is false.

How to read it: all rows but the product and `words alone` see neither sessions nor dates, so on locomo part of the
distance is context and not ranking; BM25 is plain (no stems, no stop words), and a tuned one reaches more. The weights
of meaning and of its context were fitted on one half of the conversations. The weights of neighbouring turns, BM25's
constants, the floor and the choice of the model were settled with both halves in view: these figures are therefore
somewhat flattering, and only sets that nobody here has seen can say by how much.
"""
_COLUMNS = ("R@1", "R@5", "R@10", "R@20", "MRR", "nDCG@10")

Tables = Mapping[str, Mapping[str, Mapping[str, Quality]]]  # set → way → category → quality


def write(tables: Tables) -> None:
    """Write RESULTS.md anew."""
    parts = [_HEAD, *(_section(name, ways) for name, ways in tables.items())]
    RESULTS.write_text("\n".join(parts), encoding="utf-8")


def _section(name: str, ways: Mapping[str, Mapping[str, Quality]]) -> str:
    lines = [f"## {name}", "", "| | " + " | ".join(_COLUMNS) + " |", "|---" * (len(_COLUMNS) + 1) + "|"]
    lines += [_line(f"**{way}**" if way == "product" else way, found["all"]) for way, found in ways.items()]
    lines += ["", "The product by category:", "", "| | " + " | ".join(_COLUMNS) + " |", "|---" * 7 + "|"]
    lines += [_line(category, quality) for category, quality in ways["product"].items() if category != "all"]
    return "\n".join([*lines, ""])


def _line(name: str, quality: Quality) -> str:
    return f"| {name} | " + " | ".join(f"{share:.3f}" for share in astuple(quality)) + " |"
