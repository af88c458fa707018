"""What saves time changes no result: the quick way of reading a text finds what the thorough one does."""

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from re import _parser
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory.redaction import Redacted, pipeline, redact
from memory.redaction.detectors import catalogue, tokens
from memory.redaction.marks import is_marked
from tests.memory.redaction.samples import GITHUB, HEX, SHA256, UUID, texts, told
from tests.memory.redaction.test_redaction_promises import PATCHED

Slowly = Callable[[str], Redacted]

UNMARKED = [
    *("default", "shared", "docs/deploy.md", "deploy.staging.method", "2026-11-30T10:00:00+00:00", "0.5", SHA256, UUID),
    *(f"sha256:{SHA256}", HEX, "Staging deploys run from the release branch after a look at the task's board.", ""),
    *("Для стейджинга используется ручной деплой из ветки release.", "部署到预发布环境需要手动批准。"),
]
PLACES = [*"-_./~+=@:", "sha256:", "sha1-", "commit ", "0x", "==", "://", " -p ", " -u a:"]
RUNS = st.text(alphabet="abcdefABCDEFghiKQz0123456789_+/~.-=", max_size=44)
HEXES = st.text(alphabet="0123456789abcdefABCDEF", max_size=70)
WORDS = st.sampled_from(
    "docker mysql zip token Basic Bearer cookie set-cookie: Hawk oci: :thin: task ping path eyJ AKIA key".split()
)
BREAKS = st.sampled_from(["\n", "\r\n  ", '" + "', "' '", "\\\n", "\t", " ", "\x0b", "\xa0", "ſ", "K", "\u200b"])
MADE = st.lists(PATCHED | RUNS | HEXES | WORDS | BREAKS | st.sampled_from([*PLACES, *UNMARKED, GITHUB]), max_size=8)


@pytest.fixture(scope="module")
def slowly() -> Slowly:
    """Redact with every detector reading every text."""

    def slow(text: str) -> Redacted:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(pipeline, "is_marked", lambda _: True)
            patch.setattr(catalogue, "SHORTEST", 0)
            patch.setattr(tokens, "is_hex", lambda _: False)
            return redact(text)

    return slow


@settings(max_examples=600, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(pieces=MADE, between=st.sampled_from(["", " ", "\n", "="]))
def test_the_quick_way_finds_what_the_thorough_one_finds(slowly: Slowly, pieces: list[str], between: str) -> None:
    text = between.join(pieces)
    assert redact(text) == slowly(text)


def test_every_sample_and_every_line_and_tail_of_it_reads_the_same_both_ways(slowly: Slowly) -> None:
    samples = [text for text, _ in told()] + texts("harmless.txt") + UNMARKED
    pieces = [piece for text in samples for piece in (text, *text.splitlines(), text[len(text) // 2 :], text[:19])]
    assert [text for text in pieces if redact(text) != slowly(text)] == []


def test_every_text_of_the_quality_sets_reads_the_same_both_ways(slowly: Slowly) -> None:
    directory = os.environ.get("PALIMPSEST_QUALITY_DATA")
    if not directory:
        pytest.skip("PALIMPSEST_QUALITY_DATA names no directory with secrets.jsonl")
    lines = [line for name in ("secrets", "pii") for line in _lines(Path(directory) / f"{name}.jsonl")]
    assert [text for text in lines if redact(text) != slowly(text)] == []


def _lines(path: Path) -> list[str]:
    return [json.loads(line)["text"] for line in path.read_text(encoding="utf-8").splitlines()]


ANNOUNCED_BY_ONE_MARK = [
    ("-----BEGIN PRIVATE KEY----- QWERTYUIOPASDFGHJKLZ", "private-key"),
    ('the api_key = "sk9dKq" + "Zp4XvT" + "7mWq2L"', "api-key"),
    ("eyJhbGciOiJub.eyJzdWIiOiJ.QzXvKw", "jwt"),
    ("Cookie: theta=QzXvKwTjPq", "cookie"),
    ("Basic QzXvKwTjPq", "basic-auth"),
    ("amqp://bob:QzXvKwTjPq@host", "connection-password"),
    ("run it with -u bob:QzXv!KwTj", "basic-auth"),
    ("docker login -p QzXv!KwTj", "password"),
    ("AKIA" + "ABCDEFGHIJKLMNOP", "aws-access-key-id"),
    ("abc_" + "Q7zX2vK9wT4jP1mL8nR3", "token"),
]


@pytest.mark.parametrize(("text", "kind"), ANNOUNCED_BY_ONE_MARK)
def test_each_mark_announces_what_nothing_else_does(text: str, kind: str) -> None:
    assert kind in {each.kind for each in redact(text).findings}


@pytest.mark.parametrize("text", UNMARKED)
def test_what_records_are_named_by_is_not_marked(text: str) -> None:
    assert not is_marked(text)


@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_no_rule_of_the_catalogue_matches_less_than_the_shortest_text_that_is_scanned() -> None:
    rules = catalogue._compiled().rules
    widths = {each["id"]: _least(rules.detail(each["id"])) for each in rules.metadata()}
    assert {rule: width for rule, width in widths.items() if width < catalogue.SHORTEST} == {}


def _least(rule: dict[str, Any]) -> int:
    """Say how many characters a rule's expression takes at least; flags in its midst change no length."""
    expression = re.sub(r"\(\?[imsux]+\)", "", rule["pattern"]).replace(r"\z", r"\Z")
    verbose = re.VERBOSE if re.search(r"\(\?[imsu]*x", rule["pattern"]) else 0
    return int(_parser.parse(expression, verbose).getwidth()[0])
