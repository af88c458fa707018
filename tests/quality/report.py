"""The measured tables as Markdown."""

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, field
from pathlib import Path

from tests.quality.ablation import NOTHING
from tests.quality.abstention import Point
from tests.quality.metrics import Quality
from tests.quality.models import Model

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
distance is context and not ranking; BM25 is plain (no stems, no stop words), and a tuned one reaches more. Constants
were fitted on the first half (every other conversation or article) and kept only if the second half gained as well;
since ideas came from reading what was missed in both, these figures are somewhat flattering, and only sets that nobody
here has seen can say by how much.
"""
_ABLATION = """## What each part is worth

The product without one part; in brackets what is lost (a minus: what would be gained). Up to 500 questions of a set.
"""
_ABSTENTION = """## What isn't there

Every question put to the records of another conversation: how many got no result at all, and how many results (20 at
most) they got on average. Beside it what the same floor costs where the answer is there. Up to 40 questions of a set.
"""
_MODELS = """## The models of the embedder

Recall@10 of the cosine alone over the first 60 records of one conversation of each set and of the English sentences,
and milliseconds through HTTP on a machine that did other things too, one text at a time. The default is the one in
bold: a question must be answered in a few milliseconds, and records are embedded as fast as they come.
"""
_COLUMNS = ("R@1", "R@5", "R@10", "R@20", "MRR", "nDCG@10")

Ways = Mapping[str, Mapping[str, Quality]]  # way → category or "all" → quality


@dataclass
class Measured:
    """All that one run of the command finds out."""

    ways: dict[str, Ways] = field(default_factory=dict)  # by set
    without: dict[str, dict[str, Quality]] = field(default_factory=dict)  # by part, by set
    scores: dict[str, Mapping[float, Point]] = field(default_factory=dict)  # by set, by floor
    cosines: dict[str, Mapping[float, Point]] = field(default_factory=dict)
    models: dict[str, Model] = field(default_factory=dict)
    floors: Mapping[str, float] = field(default_factory=dict)
    model: str = ""

    @property
    def complete(self) -> bool:
        """Say whether there is enough to write down."""
        return all((self.ways, self.without, self.scores, self.cosines, self.models))


def write(measured: Measured) -> None:
    """Write RESULTS.md anew."""
    parts = [_HEAD, *(_section(name, ways) for name, ways in measured.ways.items())]
    parts += [_ABLATION, _ablation(measured), _ABSTENTION, *_abstention(measured), _MODELS, _models(measured)]
    RESULTS.write_text("\n".join(parts), encoding="utf-8")


def _section(name: str, ways: Ways) -> str:
    rows = [[f"**{way}**" if way == "product" else way, *_shares(found["all"])] for way, found in ways.items()]
    kinds = [[kind, *_shares(quality)] for kind, quality in ways["product"].items() if kind != "all"]
    tables = [_table(["", *_COLUMNS], rows), "The product by category:\n", _table(["", *_COLUMNS], kinds)]
    return "\n".join([f"## {name}\n", *tables])


def _ablation(measured: Measured) -> str:
    names = [f"{name} {column}" for name in measured.ways for column in ("R@10", "nDCG@10")]
    whole = measured.without[NOTHING]
    rows = [[NOTHING, *(f"{share:.3f}" for one in whole.values() for share in _two(one))]]
    for part, found in measured.without.items():
        if part == NOTHING:
            continue
        pairs = [pair for name in whole for pair in zip(_two(found[name]), _two(whole[name]), strict=True)]
        rows.append([part, *(f"{left:.3f} ({had - left:+.3f})" for left, had in pairs)])
    return _table(["without", *names], rows)


def _two(quality: Quality) -> tuple[float, float]:
    return quality.recall_10, quality.ndcg_10


def _abstention(measured: Measured) -> list[str]:
    tables = {"the score as a whole": measured.scores, "meaning alone": measured.cosines}
    return [_curve(name, points, measured.floors[name]) for name, points in tables.items()]


def _curve(name: str, points: Mapping[str, Mapping[float, Point]], chosen: float) -> str:
    columns = ("no result", "results", "R@10")
    head = [f"floor of {name}", *(f"{place} {column}" for place in points for column in columns)]
    rows = []
    for floor in next(iter(points.values())):
        cells = [cell for at in points.values() for cell in _cells(at[floor])]
        rows.append([f"**{floor:.2f}**" if floor == chosen else f"{floor:.2f}", *cells])
    return _table(head, rows)


def _cells(point: Point) -> tuple[str, str, str]:
    return f"{point.silent:.2f}", f"{point.results:.1f}", f"{point.recall_10:.3f}"


def _models(measured: Measured) -> str:
    kinds = list(next(iter(measured.models.values())).recall_10)
    rows = []
    for name, found in measured.models.items():
        cells = [
            *(f"{found.recall_10[kind]:.3f}" for kind in kinds),
            f"{found.per_question:.1f}",
            f"{found.per_record:.1f}",
        ]
        rows.append([f"**{name}**" if name == measured.model else name, *cells])
    return _table(["", *kinds, "ms per question", "ms per record"], rows)


def _shares(quality: Quality) -> list[str]:
    return [f"{share:.3f}" for share in astuple(quality)]


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [f"| {' | '.join(row)} |" for row in (head, *rows)]
    return "\n".join([lines[0], "|---" * len(head) + "|", *lines[1:], ""])
