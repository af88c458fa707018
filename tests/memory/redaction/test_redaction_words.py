"""What people write around secrets in three languages and a dozen notations, and what only sounds like it."""

import pytest

from memory.redaction import redact
from tests.memory.redaction.samples import texts, told


@pytest.mark.parametrize(("text", "secrets"), told())
def test_a_secret_leaves_the_text_that_gives_it_away(text: str, secrets: list[str]) -> None:
    clean = redact(text).text
    assert [secret for secret in secrets if secret in clean] == []


@pytest.mark.parametrize("text", texts("harmless.txt"))
def test_talk_about_secrets_stays_as_it_is(text: str) -> None:
    assert redact(text).text == text


WORDS_KEPT = [
    ("the password is hunter2, ask Ann", "the password is [redacted:password], ask Ann"),
    ("Пароль от базы: Zima2024! — не терять", "Пароль от базы: [redacted:password] — не терять"),
    ("密码是 Zima2024!，用户名是 admin。", "密码是 [redacted:password]，用户名是 admin。"),
    ("DB_HOST=db1\nDB_PASS=x7Kp2qLm\nDB_NAME=main", "DB_HOST=db1\nDB_PASS=[redacted:password]\nDB_NAME=main"),
    ('{"user": "bob", "password": "hunter2"}', '{"user": "bob", "password": "[redacted:password]"}'),
    ("login: deploy / Sunny!Day31 on host5", "login: deploy / [redacted:password] on host5"),
    ("changed from password OldPa55! to NewPa55!", "changed from password [redacted:password] to [redacted:password]"),
]


@pytest.mark.parametrize(("text", "clean"), WORDS_KEPT)
def test_the_words_around_a_secret_stay(text: str, clean: str) -> None:
    assert redact(text).text == clean
