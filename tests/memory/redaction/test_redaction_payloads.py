"""Whole payloads, and what an organization adds."""

from typing import Any

import pytest

from memory.redaction import PERSONAL_KINDS, OwnRules, Pattern, digest, redact, redact_tree
from tests.memory.redaction.samples import GITHUB, UUID

TOLD_BY_STRUCTURE = [
    ({"password": "hunter2"}, {"password": "[redacted:password]"}),
    ({"db": {"passwords": ["hunter2", "Zima2024"]}}, {"db": {"passwords": ["[redacted:password]"] * 2}}),
    ({"name": "DB_PASSWORD", "value": "hunter2"}, {"name": "DB_PASSWORD", "value": "[redacted:password]"}),
    ({"password": {"value": "hunter2"}}, {"password": {"value": "[redacted:password]"}}),
    ({"пароль": "Zima2024"}, {"пароль": "[redacted:password]"}),
    ({"api_key": "8f7g6h5j4k3l2m1n"}, {"api_key": "[redacted:api-key]"}),
    ({"api_key": 8, "token": None, "secret": True}, {"api_key": 8, "token": None, "secret": True}),
    ({"token_id": UUID, "session_id": UUID}, {"token_id": UUID, "session_id": UUID}),
    ({"password_policy": "min12-upper1"}, {"password_policy": "min12-upper1"}),
    ({"password": "<your password>"}, {"password": "<your password>"}),
]


@pytest.mark.parametrize(("payload", "clean"), TOLD_BY_STRUCTURE)
def test_a_key_tells_of_its_value(payload: Any, clean: Any) -> None:
    assert redact_tree(payload)[0] == clean


def test_two_keys_that_become_one_are_kept_apart() -> None:
    other = GITHUB[:-1] + "Z"
    written, _ = redact_tree({GITHUB: 1, other: 2})
    assert written == {"[redacted:github-token]": 1, "[redacted:github-token]'": 2}


def test_a_payload_of_any_depth_is_walked() -> None:
    payload: Any = GITHUB
    for _ in range(5000):
        payload = [payload]
    written: Any
    written, counts = redact_tree(payload)
    for _ in range(5000):
        written = written[0]
    assert (written, counts) == ("[redacted:github-token]", {"github-token": 1})


def test_an_organization_finds_what_only_it_calls_a_secret() -> None:
    own = OwnRules(patterns=(Pattern("badge", r"\bBDG-(\d{6})\b"),))
    assert redact("badge BDG-481516 lost", own=own).text == "badge BDG-[redacted:badge] lost"


def test_an_organization_lets_a_value_stay_without_keeping_it() -> None:
    own = OwnRules(allowed=frozenset({digest("hunter2")}))
    assert redact("password: hunter2", own=own).text == "password: hunter2"
    assert redact("password: hunter3", own=own).text == "password: [redacted:password]"
    assert redact_tree({"password": "hunter2"}, own=own)[0] == {"password": "hunter2"}


REFUSED = [
    ("badge", r"(?=x)", "refused"),
    ("badge", r"(a)\1", "refused"),
    ("badge", r"(((a{100}){100}){100})", "refused"),
    ("badge", r"(?:[a-z]{900}x){1}\pL{900}", "too large"),
    ("badge", r"a*", "empty text"),
    ("badge", "a" * 513, "512 characters"),
    ("No Kind", "a", "small letters"),
]


@pytest.mark.parametrize(("kind", "expression", "why"), REFUSED)
def test_a_pattern_that_cannot_run_safely_is_refused(kind: str, expression: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        Pattern(kind, expression)


PERSONAL = [
    ("email", "write to ann.lee@example.org today", "write to [redacted:email] today"),
    ("phone", "call +1 555 280 0724 at noon", "call [redacted:phone] at noon"),
    ("phone", "звони +7 912 345-67-89 после шести", "звони [redacted:phone] после шести"),
    ("payment-card", "card 4007 0707 5369 0781 was declined", "card [redacted:payment-card] was declined"),
    ("bank-account", "pay to DE89 3704 0044 0532 0130 00 soon", "pay to [redacted:bank-account] soon"),
    ("social-security-number", "SSN 853-37-1694 on file", "SSN [redacted:social-security-number] on file"),
    ("ip-address", "from 41.173.96.26 at night", "from [redacted:ip-address] at night"),
]


@pytest.mark.parametrize(("kind", "text", "clean"), PERSONAL)
def test_personal_data_goes_only_where_an_organization_asks(kind: str, text: str, clean: str) -> None:
    assert redact(text).text == text
    assert redact(text, own=OwnRules(personal=frozenset({kind}))).text == clean


@pytest.mark.parametrize("text", ["released 2024-06-07", "version 2.14.4.1", "ticket 794229134273", "10:30-11:45"])
def test_numbers_of_other_kinds_are_no_personal_data(text: str) -> None:
    assert redact(text, own=OwnRules(personal=frozenset(PERSONAL_KINDS) - {"ip-address"})).text == text


def test_an_unknown_kind_of_personal_data_is_refused() -> None:
    with pytest.raises(ValueError, match="shoe-size"):
        OwnRules(personal=frozenset({"shoe-size"}))
