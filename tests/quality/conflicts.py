"""Fits and scores the offline judge: `python -m tests.quality.conflicts fit|score [--blind]`.

Reads `conflicts.jsonl` (`id lang old new label conflict hard source group`) from the directory PALIMPSEST_QUALITY_DATA;
vectors come from the endpoint that the settings name. `fit` prints `archivist/judges/weights.py` anew and how well
such weights do on groups of pairs that they were not fitted to; `score` judges with the weights there are.
"""

import argparse
import hashlib
import json
import os
import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

import django

Pair = dict[str, Any]
FOLDS, ROUNDS, SHRINK, STEP, NEIGHBOURS = 5, 1000, 2.0, 0.08, 24
CLASS_OF = {
    **dict.fromkeys(("updates", "contradicts", "contradiction"), "conflict"),
    "refines": "refines",
    "duplicate": "duplicate",
    "entailment": "duplicate",
    "fixes_issue": "fixes_issue",
    **dict.fromkeys(("unrelated", "neutral"), "unrelated"),
}
OLD, NEW = UUID(int=1), UUID(int=2)


def fold_of(pair: Pair) -> int:
    """Put all pairs about one fact, in any language, into one fold."""
    return int(hashlib.sha256(pair["group"].encode()).hexdigest(), 16) % FOLDS


def vectors(pairs: Sequence[Pair]) -> dict[str, list[float]]:
    """Return the vector of every text."""
    from memory.search.embeddings import passage_vectors

    texts = sorted({pair[side] for pair in pairs for side in ("old", "new")})
    return dict(zip(texts, passage_vectors(texts), strict=True))


def fit(pairs: Sequence[Pair]) -> None:
    """Print the weights, and how such weights do where they were not fitted."""
    import numpy as np

    from archivist.judges.comparing import FEATURES, read
    from archivist.judges.offline import LEAST
    from archivist.judges.weights import CLASSES

    known = vectors(pairs)
    close = [float(np.dot(known[pair["old"]], known[pair["new"]])) for pair in pairs]
    table = _table([(pair["old"], pair["new"], c) for pair, c in zip(pairs, close, strict=True)])
    others = _table(strangers())
    truth = np.array([CLASSES.index(CLASS_OF[pair["label"]]) for pair in pairs])
    folds = np.array([fold_of(pair) for pair in pairs])
    unrelated = np.full(len(others), CLASSES.index("unrelated"))
    right = Counter[str]()
    for fold in range(FOLDS):
        learnt = np.r_[table[folds != fold], others], np.r_[truth[folds != fold], unrelated]
        weights, bias = _weights(*learnt, len(CLASSES), rare=int((folds != fold).sum()))
        shares = _softmax(table[folds == fold] @ weights + bias)
        for share, real in zip(shares, truth[folds == fold], strict=True):
            _count(right, share[0] >= LEAST, real == 0)
    print(f"# on groups not fitted to, at {LEAST}: {_line(right)}")
    weights, bias = _weights(np.r_[table, others], np.r_[truth, unrelated], len(CLASSES), rare=len(table))
    jaccard = [_jaccard(read(pair["old"]).words, read(pair["new"]).words) for pair in pairs]
    slope, level = np.polyfit(jaccard, close, 1)
    print(f"GUESS = ({level:.2f}, {slope:.2f})")
    for name, row in zip(("bias", *FEATURES), [bias, *weights], strict=True):
        print(f'    "{name}": ({", ".join(f"{weight:.2f}" for weight in row)}),')


def strangers() -> list[tuple[str, str, float]]:
    """Return neighbours by meaning out of the retrieval sets: close, and hardly ever in conflict, as most pairs are."""
    import numpy as np

    from memory.search.embeddings import passage_vectors

    chance, found = random.Random(5), []
    for texts in _conversations():
        near = np.array(passage_vectors(texts))
        for place in range(10, len(texts)):
            cosines = near[:place] @ near[place]
            order = np.argsort(-cosines)[:NEIGHBOURS]
            ranks = (*chance.sample(range(6), 2), *chance.sample(range(6, len(order)), 2))
            found += [(texts[order[rank]], texts[place], float(cosines[order[rank]])) for rank in ranks]
    return found


def _conversations() -> Iterator[list[str]]:
    """Yield the beginnings of the two longest conversations of each retrieval set."""
    for name in ("locomo", "beam", "xquad"):
        lines = (_directory() / f"{name}_retrieval.jsonl").read_text().splitlines()
        told = [row for row in map(json.loads, lines) if row["type"] == "record"]
        for conversation, _ in Counter(row["conv"] for row in told).most_common(2):
            yield [row["text"] for row in told if row["conv"] == conversation][:220]


def _directory() -> Path:
    return Path(os.environ["PALIMPSEST_QUALITY_DATA"])


def _table(pairs: Sequence[tuple[str, str, float]]) -> Any:
    import numpy as np

    from archivist.judges.comparing import FEATURES, compare, read

    rows = [compare(read(old), read(new), closeness=close) for old, new, close in pairs]
    return np.array([[row[name] for name in FEATURES] for row in rows])


def _weights(table: Any, truth: Any, classes: int, *, rare: int) -> tuple[Any, Any]:
    """Fit a softmax regression with a small penalty (Adam), on features brought to one scale.

    The first `rare` rows count whole, the strangers after them half.
    """
    import numpy as np

    share = np.where(np.arange(len(table)) < rare, 1.0, 0.5)[:, None]
    mean, spread = table.mean(0), table.std(0) + 1e-6
    scaled = np.c_[(table - mean) / spread, np.ones(len(table))]
    weights = np.zeros((scaled.shape[1], classes))
    wanted, slow, fast = np.eye(classes)[truth], np.zeros_like(weights), np.zeros_like(weights)
    for turn in range(1, ROUNDS + 1):
        slope = (scaled.T @ (share * (_softmax(scaled @ weights) - wanted)) + SHRINK * weights) / share.sum()
        slow, fast = 0.9 * slow + 0.1 * slope, 0.999 * fast + 0.001 * slope * slope
        weights -= STEP * (slow / (1 - 0.9**turn)) / (np.sqrt(fast / (1 - 0.999**turn)) + 1e-8)
    plain = weights[:-1] / spread[:, None]
    return plain, weights[-1] - mean @ plain


def _softmax(scores: Any) -> Any:
    import numpy as np

    grown = np.exp(scores - scores.max(1, keepdims=True))
    return grown / grown.sum(1, keepdims=True)


def _jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / max(1, len(one | other))


def score(pairs: Sequence[Pair], *, blind: bool) -> None:
    """Print precision, recall and F1 of “is it a conflict”, in all and by language, and false alarms by label."""
    from archivist.judges import Bearing, Told
    from archivist.judges.offline import Offline
    from archivist.judges.weights import MODEL

    known = {} if blind else vectors(pairs)
    tallies: dict[str, Counter[str]] = defaultdict(Counter)
    alarms: dict[str, list[bool]] = defaultdict(list)
    for pair in pairs:
        old = Told(id=OLD, content=pair["old"], meaning=known.get(pair["old"]), model=MODEL)
        new = Told(id=NEW, content=pair["new"], meaning=known.get(pair["new"]), model=MODEL)
        found = [finding.bearing for finding in Offline().judge(new, [old])]
        alarm = bool({Bearing.UPDATES, Bearing.CONTRADICTS} & set(found))
        alarms[pair["label"] + (" (hard)" if pair["hard"] else "")].append(alarm)
        for place in ("all", pair["lang"], pair["source"]):
            _count(tallies[place], alarm, pair["conflict"])
    for place, tally in tallies.items():
        print(f"{place:<10} {_line(tally)}")
    for label, said in sorted(alarms.items()):
        print(f"said to conflict, of {label:<18} {sum(said) / len(said):.3f} of {len(said)}")


def _count(tally: Counter[str], said: bool, real: bool) -> None:
    tally[f"{'true' if said == real else 'false'} {'yes' if said else 'no'}"] += 1


def _line(tally: Counter[str]) -> str:
    yes, wrong, missed = tally["true yes"], tally["false yes"], tally["false no"]
    precision, recall = yes / max(1, yes + wrong), yes / max(1, yes + missed)
    f1 = 2 * precision * recall / max(1e-9, precision + recall)
    return f"n {tally.total():>4}  precision {precision:.3f}  recall {recall:.3f}  F1 {f1:.3f}"


def main() -> None:
    """Read the command line and do what it says."""
    parser = argparse.ArgumentParser(prog="tests.quality.conflicts", description=__doc__)
    parser.add_argument("what", choices=["fit", "score"])
    parser.add_argument("--blind", action="store_true", help="judge without vectors")
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    lines = (_directory() / "conflicts.jsonl").read_text().splitlines()
    pairs = [json.loads(line) for line in lines]
    if options.what == "fit":
        fit(pairs)
    else:
        score(pairs, blind=options.blind)


if __name__ == "__main__":
    main()
