"""No text, however made, may stall redaction: sixteen times the text may cost sixteen times as much, not 256."""

import base64
import random
import string
import time

import pytest

from memory.redaction import PERSONAL_KINDS, OwnRules, Pattern, redact, warm
from tests.memory.redaction.samples import GITHUB

SIZE = 2_000  # characters of the smaller text
TIMES = 16
MARGIN = 6  # a longer text may be read up to four times; and the machine does other things as well

NOTHING_OWN = OwnRules()
LETTERS = random.Random(5)


def _run(length: int, alphabet: str = string.ascii_letters + string.digits) -> str:
    return "".join(LETTERS.choices(alphabet, k=length))


def _filled(piece: str) -> str:
    return piece * (SIZE * TIMES // len(piece) + 1)


REPEATED = [
    *("a", " ", "\n", '"', "/", "a.", "a_", "a=", "1", "&", "ｐ", "a\u200b", "&#97;", "%3D", "[redacted:x]"),
    *(
        "password ",
        "password: ",
        "password=",
        'password="',
        "password=(",
        "password is ",
        "key",
        "key_",
        "secret secret ",
    ),
    *("the password for the ", 'passphrase is "', "Abc123!x as the ", "password Abc123!x ", "pass: a:b/c "),
    *("пароль ", "пароль от ", "ключ API ", "密码", "密码是", "账号/密码："),
    *(
        "http://a:b@",
        "ab://",
        "postgres://a:",
        "Cookie: a=bcdefghij; ",
        "Bearer ",
        " -u a:b",
        "mysql -p",
        "docker -p x ",
    ),
    *(
        "eyJ",
        "eyJhbGciOiJ.",
        "-----BEGIN RSA PRIVATE KEY-----\n",
        "-----BEGIN CERTIFICATE-----",
        '{"password":',
        GITHUB + " ",
    ),
]
BUILT = {
    "random words": " ".join(_run(40) for _ in range(900)),
    "random lines": "\n".join(_run(30) for _ in range(1200)),
    "random literals": '" + "'.join(_run(30) for _ in range(1000)),
    "hexadecimal digits": _run(33_000, "0123456789abcdef"),
    "base64 of noise": base64.b64encode(LETTERS.randbytes(25_000)).decode(),
    "base64 of passwords": base64.b64encode(b"password is hunter2 " * 1300).decode(),
    "lines of base64": base64.encodebytes(LETTERS.randbytes(25_000)).decode(),
    "one link without an end": "http://a:" + "@" * 33_000,
    "one quote without an end": 'password="' + '\\"' * 16_000,
    "one seed without an end": "seed phrase: " + "word " * 6600,
}


def _spent(text: str, own: OwnRules = NOTHING_OWN) -> float:
    """Processor seconds of the best of three."""
    best = float("inf")
    for _ in range(3):
        began = time.process_time()
        redact(text, own=own)
        best = min(best, time.process_time() - began)
    return max(best, 1e-3)


@pytest.mark.parametrize("text", [*map(_filled, REPEATED), *BUILT.values()], ids=[*map(repr, REPEATED), *BUILT])
def test_cost_grows_with_length_and_no_faster(text: str) -> None:
    warm()
    assert _spent(text[: SIZE * TIMES]) < TIMES * MARGIN * _spent(text[:SIZE])


OWN = OwnRules(patterns=(Pattern("slow", r"(?:a+a+)+b"),), personal=frozenset(PERSONAL_KINDS))


@pytest.mark.parametrize("piece", ["a", "a.", "a@", "1 ", "12-", "1.", "+1 ", "DE89 3704 "])
def test_what_an_organization_adds_cannot_stall_it_either(piece: str) -> None:
    text = _filled(piece)
    assert _spent(text[: SIZE * TIMES], OWN) < TIMES * MARGIN * _spent(text[:SIZE], OWN)
