"""`python3 -m tests.benchmarks`: what a call costs at 10,000 records, beside the same done by psycopg alone.

Needs Python 3.11 and nothing else. Prints Markdown; RESULTS.md keeps what was printed on a calm machine.
"""

import argparse
import signal
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))
from deploy import environment


def main() -> None:
    """This will measure with each model and print a table for each."""
    options = _options()
    environment.enter(environment.DEVELOPMENT)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # stop what was started
    from tests.benchmarks.running import report

    for model in options.models:
        with tempfile.TemporaryDirectory(prefix="palimpsest-bench-") as folder:
            Path(folder).chmod(0o711)
            print(report(Path(folder), model=model, records=options.records), flush=True)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python3 -m tests.benchmarks", description=__doc__)
    parser.add_argument("--records", type=int, default=10_000)
    parser.add_argument("--models", nargs="+", default=["fake-384", "usem3-centred"], help="embedding models")
    return parser.parse_args()


if __name__ == "__main__":
    main()
