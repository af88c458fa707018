"""What holds for every text."""

import threading
from multiprocessing import get_context

from hypothesis import given, settings
from hypothesis import strategies as st

from memory.redaction import RULES_VERSION, redact, warm
from memory.redaction.detectors.catalogue import CATALOGUE
from tests.memory.redaction.samples import GITHUB, texts, told

PIECES = st.sampled_from(
    [
        *("password", ": ", "=", " is ", '"', "Zima2024!", GITHUB, "\n", "пароль", "密码", "是", "token ", "\u200b"),
        *("&quot;", "[redacted:password]", "postgres://u:", "@db/x", "-----BEGIN PRIVATE KEY-----", "AKIA", "eyJ"),
        *(" Bearer ", "ｘ", "curl -u ", "Cookie: a=", "key", "from ", " to "),
    ]
)
ANYTHING = st.text(alphabet=st.characters(), max_size=80)  # lone surrogates and NUL among them
PATCHED = st.lists(PIECES | ANYTHING, max_size=12).map("".join)


@settings(max_examples=300, deadline=None)
@given(PATCHED)
def test_redacting_twice_changes_nothing(text: str) -> None:
    once = redact(text).text
    assert redact(once).text == once


@settings(max_examples=200, deadline=None)
@given(PATCHED)
def test_findings_say_exactly_what_was_replaced(text: str) -> None:
    redacted = redact(text)
    rebuilt, done = "", 0
    for finding in redacted.findings:
        rebuilt += text[done : finding.start] + finding.placeholder
        done = finding.end
    assert redacted.text == rebuilt + text[done:]


def test_every_sample_is_clean_after_one_pass() -> None:
    samples = [text for text, _ in told()] + texts("harmless.txt")
    once = [redact(text).text for text in samples]
    assert [redact(text).text for text in once] == once


def test_what_shows_only_once_a_neighbour_is_gone_goes_as_well() -> None:
    key = "AKIA" + "ABCDEFGHIJKLMNOP"
    assert redact(key + GITHUB).text == "[redacted:aws-access-key-id][redacted:github-token]"


def test_the_version_of_the_rules_names_the_catalogue() -> None:
    assert RULES_VERSION.endswith(CATALOGUE)


def test_threads_share_the_rules() -> None:
    seen: list[str] = []
    threads = [threading.Thread(target=lambda: seen.append(redact(f"use {GITHUB}").text)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == ["use [redacted:github-token]"] * 8


def _in_a_child(text: str) -> str:
    return redact(text).text


def test_a_forked_worker_uses_the_rules_its_parent_loaded() -> None:
    warm()
    with get_context("fork").Pool(2) as workers:
        assert workers.map(_in_a_child, [GITHUB] * 4) == ["[redacted:github-token]"] * 4
