"""Redaction reaches its bar on the labelled set, wherever that is at hand."""

import os
from pathlib import Path

import pytest

from tests.quality.redaction import items, measure

DIRECTORY = os.environ.get("PALIMPSEST_QUALITY_DATA", "")


@pytest.mark.skipif(not DIRECTORY, reason="PALIMPSEST_QUALITY_DATA names no directory of labelled texts")
@pytest.mark.parametrize("half", ["tuned", "held"])
def test_nearly_all_secrets_go_and_nearly_nothing_else(half: str) -> None:
    scores, _ = measure([*items(Path(DIRECTORY), half=half)])
    whole = scores["all"]
    assert whole.removed >= 0.95 * whole.secrets
    assert whole.changed <= 0.01 * whole.harmless
