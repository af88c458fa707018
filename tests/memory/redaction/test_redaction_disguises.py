"""Secrets in disguise: encoded, broken over lines, written with other letters, wrapped in markup."""

import base64

import pytest

from memory.redaction import redact
from tests.memory.redaction.samples import GITHUB


def b64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


KEY = """-----BEGIN OPENSSH PRIVATE KEY-----
b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ
QyNTUxOQAAACDx
-----END OPENSSH PRIVATE KEY-----"""
IMAGE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
CERTIFICATE = """-----BEGIN CERTIFICATE-----
eriIqM8I0seDtd3NcNlBoQ0nGPrHNQRBbuGc7lOrZRuGZDb
-----END CERTIFICATE-----"""

DISGUISED = {
    "base64": (f"data: {b64('the token ' + GITHUB)} end", "data: [redacted:github-token] end"),
    "base64 twice": (b64(b64(f"token={GITHUB}")), "[redacted:github-token]"),
    "base64 of an assignment": (b64("password=Zima2024!x"), "[redacted:password]"),
    "a line wrap": (f"{GITHUB[:20]}\n{GITHUB[20:]} more", "[redacted:github-token] more"),
    "a continued line": (f"token: {GITHUB[:20]}\\\n    {GITHUB[20:]}", "token: [redacted:github-token]"),
    "a quoted reply": (f"> {GITHUB[:25]}\n> {GITHUB[25:]}\n> thanks", "> [redacted:github-token]\n> thanks"),
    "two literals": (f'"{GITHUB[:14]}" + "{GITHUB[14:]}"', '"[redacted:github-token]"'),
    "full-width letters": ("ｐａｓｓｗｏｒｄ：Ｚｉｍａ２０２４！ｘ", "ｐａｓｓｗｏｒｄ：[redacted:password]"),
    "zero-width signs": ("p\u200bassword: Zi\u200bma2024!x", "p\u200bassword: [redacted:password]"),
    "a token with zero-width signs": (f"see {GITHUB[:9]}\u2060{GITHUB[9:]}.", "see [redacted:github-token]."),
    "entities": ("pass&#119;ord=&quot;Zima2024!x&quot;", "pass&#119;ord=&quot;[redacted:password]&quot;"),
    "a code fence": ("password:\n```\nZima2024!x\n```", "password:\n```\n[redacted:password]\n```"),
    "bold and code": ("**Password:** `Zima2024!x`", "**Password:** `[redacted:password]`"),
    "a table": ("| password | Zima2024!x |", "| password | [redacted:password] |"),
    "JSON in a string": ('"{\\"password\\":\\"Zima2024!x\\"}"', '"{\\"password\\":\\"[redacted:password]\\"}"'),
    "a percent-encoded query": ("q=%22password%22%3A%22Zima2024x%22", "q=%22password%22%3A%22[redacted:password]%22"),
    "an escaped quote": ('password="Zima\\"2024!x" next', 'password="[redacted:password]" next'),
    "a key": (f"deploy key:\n{KEY}\nthanks", "deploy key:\n[redacted:private-key]\nthanks"),
    "a key on one line": ('"' + KEY.replace("\n", "\\n") + '\\n"', '"[redacted:private-key]\\n"'),
    "a key cut off": (KEY[:90], "[redacted:private-key]"),
}


@pytest.mark.parametrize("name", DISGUISED)
def test_a_disguised_secret_is_seen(name: str) -> None:
    text, clean = DISGUISED[name]
    assert redact(text).text == clean


HARMLESS = {
    "base64 of words": b64("hello world, this is only a text without anything in it"),
    "base64 of an image": IMAGE,
    "the heading of a key alone": "The file begins with -----BEGIN RSA PRIVATE KEY----- and ends alike.",
    "a certificate": CERTIFICATE,
    "two lines": "commit 7d0c4b1e9fa2836d\n5510be47 files changed",
    "a value and the next line": "REGION=eu-west-1\nZONE=b2",
}


@pytest.mark.parametrize("name", HARMLESS)
def test_what_only_looks_disguised_stays(name: str) -> None:
    assert redact(HARMLESS[name]).text == HARMLESS[name]
