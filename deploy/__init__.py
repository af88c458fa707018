"""Everything needed to run Palimpsest; the product itself never imports this package."""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - said in time, and in words
    sys.exit(f"Palimpsest needs Python 3.11 or newer; this is {sys.version.split()[0]}")
