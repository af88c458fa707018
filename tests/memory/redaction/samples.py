"""The texts beside this file, and what tests need to read them."""

import re
from pathlib import Path

GITHUB = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
HEX = "7d0c4b1e9fa2836d5510be47c3a98e6f2b14d07a"
SHA256 = HEX + HEX[:24]
UUID = "3f0c8a52-7b1e-4d69-9a4c-2e5d8b7f1a60"

HERE = Path(__file__).parent
MARKED = re.compile("⟦(.*?)⟧", re.DOTALL)


def texts(name: str) -> list[str]:
    """Give the texts of a file that blank lines separate; the first part is its heading."""
    return (HERE / name).read_text(encoding="utf-8").strip().split("\n\n")[1:]


def told() -> list[tuple[str, list[str]]]:
    """Give each text that gives secrets away, and its secrets."""
    return [(MARKED.sub(r"\1", text), MARKED.findall(text)) for text in texts("told.txt")]
