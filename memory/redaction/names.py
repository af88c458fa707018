"""Names that tell of a secret: `DB_PASSWORD`, `apiKey`, `пароля`, `密钥` - and those that only seem to.

A name's force says how much its value must look like a secret before it counts as one.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from dataclasses import dataclass

import re2

from memory.redaction.force import Force, force_of, kind_of, spoken_key, weighed
from memory.redaction.shapes import is_wordy

LONGEST = 64  # characters of an identifier; longer runs are blobs
REACH = 64  # characters of an identifier looked at on either side of the telling stem

_ENGLISH = (
    "pass|pwd|psw|secret|token|key|cred|auth|bearer|cookie|sess|jwt|signature|salt|seed|mnemonic|otp|dsn|webhook|"
    "login|pin|pat|pw|phrase|sk|sid|sas|cert|access|account|apikey|logon"
)
_RUSSIAN = "парол|пасс|пассворд|токен|секрет|ключ|кред|пин|логин|уч[её]т|доступ|кодов|фраз|вход"
_CHINESE = (
    "密码|口令|密钥|秘钥|密匙|令牌|私钥|凭证|凭据|密碼|密鑰|金鑰|權杖|憑證|"
    "暗号|授权码|访问码|验证码|账号|帐号|账户|登录|登陆|钥匙|通行码"
)
_STEM = re2.compile(f"(?i){_ENGLISH}|{_RUSSIAN}|{_CHINESE}")

_IDENTIFIER = string.ascii_letters + string.digits + "_$.-"
_LATIN = re.compile(r"[A-Za-z0-9_]*(?:[.-][A-Za-z0-9_]+)*")
_CYRILLIC = re.compile(r"[а-яёА-ЯЁ]*(?:-[а-яё]+)?")
_SPOKEN_KEY = re.compile(r"(?i)(?:\bapi|access|секретн\w+|приватн\w+|закрыт\w+|сервисн\w+|мастер)[ -]$")
_KEY_FOR = re.compile(r"(?i)[ -](?:api\b|доступа|шифрования|подписи|авторизации|аутентификации|клиента|интеграции)")
_OTHER_RUSSIAN = re.compile(
    "пасс(?:ажир|ив|аж|ионар)|доступн|учит|учетверо|пинг|ключев|ключи[тл]|включ|фразеол|секретар|логиня|учётн?[оы]?$"
)
_WEAK_RUSSIAN = re.compile("ключ|доступ|уч[её]т|логин|кодов|фраз|пин|вход")
_PASSWORD_CHINESE = frozenset("密码 口令 密碼 暗号 访问码 授权码 通行码".split())
_WEAK_CHINESE = frozenset("账号 帐号 账户 登录 登陆 钥匙 验证码".split())


@dataclass(frozen=True, slots=True)
class Name:
    """A telling name at `text[start:end]`."""

    start: int
    end: int
    force: Force
    kind: str


def telling_names(text: str) -> Iterator[Name]:
    """Find every telling name in order; each identifier is given once."""
    done = 0
    for stem in _STEM.finditer(text):
        if stem.start() < done:
            continue
        name = named_at(text, stem.start(), stem.end(), done)
        done = max(name.end if name else stem.end(), done)
        if name is not None:
            yield name


def named_at(text: str, start: int, end: int, floor: int) -> Name | None:
    """Widen a stem to the whole word or identifier and weigh it; None when it is harmless."""
    first = text[start]
    if first.isascii():
        return _latin(text, start, end, floor)
    if "а" <= first.lower() <= "ё":
        return _russian(text, start, end)
    word = text[start:end]
    weak_or_secret = Force.WEAK if word in _WEAK_CHINESE else Force.SECRET
    return Name(start, end, Force.PASSWORD if word in _PASSWORD_CHINESE else weak_or_secret, kind_of(word))


def _latin(text: str, start: int, end: int, floor: int) -> Name | None:
    before = text[max(floor, start - REACH) : start]
    left = start - len(_tail(before))
    right = _LATIN.match(text, end, end + REACH)
    stop = right.end() if right else end
    identifier = text[left:stop]
    if len(identifier) >= LONGEST:
        return None
    force, kind = weighed(identifier) if identifier.isalpha() else (force_of(identifier), kind_of(identifier))
    if force is Force.WEAK and not identifier.islower() and not is_wordy(identifier):
        return None
    if force is Force.WEAK and identifier.lower() in ("key", "keys"):
        force = spoken_key(before)
    if force is None:
        return None
    return Name(left, stop, force, kind)


def _tail(before: str) -> str:
    """The identifier's characters at the end of `before`."""
    return before[len(before.rstrip(_IDENTIFIER)) :].lstrip(".-")


def _russian(text: str, start: int, end: int) -> Name | None:
    if start and text[start - 1].isalpha():
        return None
    right = _CYRILLIC.match(text, end, end + REACH)
    stop = right.end() if right else end
    word = text[start:stop].lower()
    if _OTHER_RUSSIAN.match(word):
        return None
    return Name(start, stop, _russian_force(text, word, start, stop), kind_of(word))


def _russian_force(text: str, word: str, start: int, stop: int) -> Force:
    told_apart = _SPOKEN_KEY.search(text[max(0, start - 24) : start]) or _KEY_FOR.match(text, stop, stop + 24)
    if word.startswith(("токен", "секрет")) or (word.startswith("ключ") and told_apart):
        return Force.SECRET
    return Force.WEAK if _WEAK_RUSSIAN.match(word) else Force.PASSWORD
