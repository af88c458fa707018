"""How strongly a name tells of a secret, weighed by its words: `dbPassword` much, `passwordPolicy` not at all."""

from __future__ import annotations

import re
from enum import IntEnum
from functools import lru_cache

from memory.redaction.vocabulary import (
    HARMLESS_AFTER,
    HARMLESS_KEY,
    HARMLESS_TOKEN,
    HASHES,
    INNOCENT,
    KEY_OF,
    PASSWORD_WORDS,
    SECRET_WORDS,
    SHORT_WORDS,
    WEAK_WORDS,
)

_PASSWORD_ENDS = ("password", "passwd", "passwrd", "pwd", "passphrase", "passcode", "userpass", "dbpass")
_SECRET_ENDS = tuple("secret token apikey accesskey secretkey privatekey authkey licensekey signingkey".split())
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_KINDS = (  # of an identifier's parts the first one decides
    ("pin", ("passcode", "пин")),
    ("password", tuple("вход pass pwd psw pw парол пасс 密码 口令 密碼 login logon логин уч доступ 账 帐 登".split())),
    ("token", tuple("token jwt bearer токен 令牌 權杖".split())),
    ("cookie", ("cookie", "sess", "sid")),
    ("api-key", tuple("key ключ 密钥 秘钥 密匙 金鑰 密鑰 私钥".split())),
)


class Force(IntEnum):
    """How strongly a name speaks: WEAK needs a random value, SECRET a machine's, PASSWORD any but a placeholder."""

    WEAK = 1
    SECRET = 2
    PASSWORD = 3


def force_of(identifier: str) -> Force | None:
    """Weigh an identifier by its words; None when it names no secret."""
    words = [word.lower() for word in _WORDS.findall(identifier)]
    if not words:
        return None
    for index in range(len(words) - 1, -1, -1):
        force = _word_force(words, index)
        if force is not None:
            return None if HARMLESS_AFTER.intersection(words[index + 1 :]) else force
    return None


def kind_of(identifier: str) -> str:
    """Name the kind of secret an identifier tells of."""
    low = identifier.lower()
    if low == "pin" or low.endswith(("_pin", "-pin")):
        return "pin"
    return next((kind for kind, parts in _KINDS if any(part in low for part in parts)), "secret")


@lru_cache(maxsize=1024)
def weighed(identifier: str) -> tuple[Force | None, str]:
    """Remember the weight of plain words; anything with a digit could be a secret and is not kept."""
    return force_of(identifier), kind_of(identifier)


def spoken_key(before: str) -> Force | None:
    """Weigh the word `key` by the word before it: an API key is a secret, a primary key is not."""
    words = _WORDS.findall(before[-24:])
    if not words:
        return Force.WEAK
    if words[-1].lower() in HARMLESS_KEY:
        return None
    return Force.SECRET if words[-1].lower() in KEY_OF else Force.WEAK


def is_other_name(word: str) -> bool:
    """Say whether a word such as `commit:` or `tokenId=` announces a value that is no secret."""
    if word[-1] not in ":=" and not (word[-1] in "\"'" and word[-2:-1] in ":="):
        return False
    words = _WORDS.findall(word)
    return bool(words) and word.isascii() and words[-1].lower() in HARMLESS_AFTER | HASHES


def _word_force(words: list[str], index: int) -> Force | None:
    word, before = words[index], words[:index]
    if word in SHORT_WORDS and index < len(words) - 1 and not words[index + 1].isdigit():
        return None
    if word == "token" and before and before[-1] in HARMLESS_TOKEN:
        return None
    if word in PASSWORD_WORDS or word.endswith(_PASSWORD_ENDS):
        return Force.PASSWORD
    if word in SECRET_WORDS or word.endswith(_SECRET_ENDS):
        return Force.SECRET
    if word in INNOCENT or not (word in WEAK_WORDS or word.endswith("key")):
        return None
    if word not in {"key", "keys"}:
        return Force.WEAK
    if HARMLESS_KEY.intersection(before[-2:]) and not KEY_OF.intersection(before[-2:-1]):
        return None
    return Force.SECRET if KEY_OF.intersection(before) else Force.WEAK
