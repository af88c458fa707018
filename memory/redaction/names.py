"""Names that tell of a secret: `DB_PASSWORD`, `apiKey`, `пароля`, `密钥` - and those that only seem to.

A name's force says how much its value must look like a secret before it counts as one.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache

import re2

from memory.redaction.shapes import is_wordy

LONGEST = 64  # characters of an identifier; longer runs are blobs
REACH = 64  # characters of an identifier looked at on either side of the telling stem


class Force(IntEnum):
    """How strongly a name speaks: WEAK needs a random value, SECRET a machine's, PASSWORD any but a placeholder."""

    WEAK = 1
    SECRET = 2
    PASSWORD = 3


@dataclass(frozen=True, slots=True)
class Name:
    """A telling name at `text[start:end]`."""

    start: int
    end: int
    force: Force
    kind: str


_ENGLISH = (
    "pass|pwd|psw|secret|token|key|cred|auth|bearer|cookie|sess|jwt|signature|salt|seed|mnemonic|otp|dsn|webhook|"
    "login|pin|pat|pw|phrase|sk|sid|sas|cert|access|account|apikey|logon"
)
_RUSSIAN = "парол|пасс|пассворд|токен|секрет|ключ|кред|пин|логин|уч[её]т|доступ|кодов|фраз|вход"
_CHINESE = "密码|口令|密钥|秘钥|密匙|令牌|私钥|凭证|凭据|密碼|密鑰|金鑰|權杖|憑證|暗号|授权码|访问码|验证码|账号|帐号|账户|登录|登陆|钥匙|通行码"
_STEM = re2.compile(f"(?i){_ENGLISH}|{_RUSSIAN}|{_CHINESE}")

_IDENTIFIER = string.ascii_letters + string.digits + "_$.-"
_LATIN = re.compile(r"[A-Za-z0-9_]*(?:[.-][A-Za-z0-9_]+)*")
_CYRILLIC = re.compile(r"[а-яёА-ЯЁ]*(?:-[а-яё]+)?")
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")

_PASSWORD_WORDS = frozenset("pass pw passw passkey psw pswd passwords passwds pwds passphrases passcodes".split())
_SHORT_WORDS = frozenset("pass pw pin sk pat sid sas access account login session seed salt".split())
_HARMLESS_TOKEN = frozenset("next request page continuation change lock action cursor pagination sync resume stop cancellation".split())
_PASSWORD_ENDS = ("password", "passwd", "passwrd", "pwd", "passphrase", "passcode", "userpass", "dbpass")
_SECRET_WORDS = frozenset(
    """cred creds credential credentials bearer jwt mnemonic otp psk sessionid phpsessid jsessionid secrets tokens apikeys
    """.split()
)
_SECRET_ENDS = ("secret", "token", "apikey", "accesskey", "secretkey", "privatekey", "authkey", "licensekey", "signingkey")
_WEAK_WORDS = frozenset(
    """keys auth authorization cookie cookies session salt seed dsn webhook login access account logon sas pat sk sid pin phrase
    """.split()
)
_KEY_OF = frozenset(
    """api secret access private signing encryption encrypt master app application client account storage service license
    licence shared subscription admin root deploy write read rest consumer hmac aes jwt webhook auth integration ingest
    server live test sandbox prod production security user unlock developer dev personal""".split()
)
_HARMLESS_KEY = frozenset(
    """public publishable primary foreign sort partition cache row fact idempotency routing object s3 map dict composite
    natural surrogate hash index unique field i18n translation config shift ctrl alt arrow hot short group order lookup
    search bucket registry answer lock dedupe dedup column host ref ssh known react json cell pub idem message
    """.split()
)
_HARMLESS_AFTER = frozenset(
    """id ids name names url urls uri uris endpoint host hostname domain path file filename filepath dir directory type
    types kind length len size min max minimum maximum count limit limits ttl age expiry expires expire expiration exp
    timeout interval refresh policy policies rule rules field fields label hint placeholder prompt header prefix suffix
    algorithm alg algo version format encoding hash hashed hashes digest fingerprint enabled enable required disabled reset
    pattern regex provider manager store ref refs reference arn issuer audience scope scopes class method
    variable var column table usage budget bucket rate lifetime ring rotation rotated created updated at date time
    duration strength validator validation check checker verify error errors message status state mode flag
    param parameter arg argument input output form page screen view route handler service middleware generator factory
    encoder decoder parser hasher attempts retries retry history change changed forgot forgotten forget link email
    template title text description help size bits chars charset word words secretname keyname alias index position
    encryption mechanism last used modified scanner hashers validators backend backends classes permissions pair pairs map vault chain list set cap code
    """.split()
)
_INNOCENT = frozenset("monkey donkey turkey hockey jockey whiskey".split())
_KINDS = ((re.compile(r"passcode|^pin|^пин"), "pin"), (re.compile("вход|pass|pwd|psw|pw$|парол|пасс|密码|口令|密碼|login|logon|логин|уч|доступ|账|帐|登"), "password"),
          (re.compile("token|jwt|bearer|pat$|токен|令牌|權杖"), "token"),
          (re.compile("cookie|sess|sid"), "cookie"),
          (re.compile("key|ключ|密钥|秘钥|密匙|金鑰|密鑰|私钥"), "api-key"))


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
    return Name(start, end, _chinese_force(text[start:end]), _kind(text[start:end]))


def force_of(identifier: str) -> Force | None:
    """Weigh an identifier by its words; None when it names no secret."""
    words = [word.lower() for word in _WORDS.findall(identifier)]
    if not words:
        return None
    for index in range(len(words) - 1, -1, -1):
        force = _word_force(words, index)
        if force is not None:
            return None if _HARMLESS_AFTER.intersection(words[index + 1 :]) else force
    return None


def kind_of(identifier: str) -> str:
    """Name the kind of secret an identifier tells of."""
    return _kind(identifier.lower())


@lru_cache(maxsize=1024)
def _weighed(identifier: str) -> tuple[Force | None, str]:
    """Remember the weight of plain words; anything with a digit could be a secret and is not kept."""
    return force_of(identifier), kind_of(identifier)


def _word_force(words: list[str], index: int) -> Force | None:
    word, before = words[index], words[:index]
    if word in _SHORT_WORDS and index < len(words) - 1 and not words[index + 1].isdigit():
        return None
    if word == "token" and before and before[-1] in _HARMLESS_TOKEN:
        return None
    if word in _PASSWORD_WORDS or word.endswith(_PASSWORD_ENDS):
        return Force.PASSWORD
    if word in _SECRET_WORDS or word.endswith(_SECRET_ENDS):
        return Force.SECRET
    if word in _INNOCENT or not (word in _WEAK_WORDS or word.endswith("key")):
        return None
    if word != "key":
        return Force.WEAK
    if _HARMLESS_KEY.intersection(before[-2:]) and not _KEY_OF.intersection(before[-2:-1]):
        return None
    return Force.SECRET if _KEY_OF.intersection(before) else Force.WEAK


def _latin(text: str, start: int, end: int, floor: int) -> Name | None:
    before = text[max(floor, start - REACH) : start]
    left = start - len(_tail(before))
    right = _LATIN.match(text, end, end + REACH)
    stop = right.end() if right else end
    identifier = text[left:stop]
    if len(identifier) >= LONGEST:
        return None
    force, kind = _weighed(identifier) if identifier.isalpha() else (force_of(identifier), kind_of(identifier))
    if force is None:
        return None
    if force is Force.WEAK and not identifier.islower() and not is_wordy(identifier):
        return None
    if force is Force.WEAK and identifier.lower() in ("key", "keys"):
        force = _spoken_key(before)
    if force is None:
        return None
    return Name(left, stop, force, kind)


def _spoken_key(before: str) -> Force | None:
    """Weigh the word `key` by the word before it: an API key is a secret, a primary key is not."""
    words = _WORDS.findall(before[-24:])
    if not words:
        return Force.WEAK
    if words[-1].lower() in _HARMLESS_KEY:
        return None
    return Force.SECRET if words[-1].lower() in _KEY_OF else Force.WEAK


def is_other_name(word: str) -> bool:
    """Say whether a word such as `commit:` or `tokenId=` announces a value that is no secret."""
    if word[-1] not in ":=" and not (word[-1] in "\"'" and word[-2:-1] in ":="):
        return False
    words = _WORDS.findall(word)
    return bool(words) and word.isascii() and words[-1].lower() in _HARMLESS_AFTER | _HASHES


_HASHES = frozenset("commit sha sha1 sha256 sha512 md5 uuid guid etag digest checksum revision rev crc tag branch".split())


def _tail(before: str) -> str:
    """The identifier's characters at the end of `before`."""
    return before[len(before.rstrip(_IDENTIFIER)) :].lstrip(".-")


_SPOKEN_KEY = re.compile(r"(?i)(?:\bapi|access|секретн\w+|приватн\w+|закрыт\w+|сервисн\w+|мастер)[ -]$")
_KEY_FOR = re.compile(r"(?i)[ -](?:api\b|доступа|шифрования|подписи|авторизации|аутентификации|клиента|интеграции)")


def _russian(text: str, start: int, end: int) -> Name | None:
    if start and text[start - 1].isalpha():
        return None
    right = _CYRILLIC.match(text, end, end + REACH)
    stop = right.end() if right else end
    word = text[start:stop].lower()
    if re.match(r"пасс(?:ажир|ив|аж|ионар)|доступн|учит|учетверо|пинг|пингв|ключев|ключи[тл]|включ|фразеол|секретар|логиня|учётн?[оы]?$", word):
        return None
    weak = re.match(r"ключ|доступ|уч[её]т|логин|кодов|фраз|пин|вход", word)
    if word.startswith("ключ") and (_SPOKEN_KEY.search(text[max(0, start - 24) : start]) or _KEY_FOR.match(text, stop, stop + 24)):
        weak = None
        return Name(start, stop, Force.SECRET, _kind(word))
    force = Force.WEAK if weak else Force.SECRET if re.match("токен|секрет", word) else Force.PASSWORD
    return Name(start, stop, force, _kind(word))


def _chinese_force(word: str) -> Force:
    if word in ("密码", "口令", "密碼", "暗号", "访问码", "授权码", "通行码"):
        return Force.PASSWORD
    return Force.WEAK if word in ("账号", "帐号", "账户", "登录", "登陆", "钥匙", "验证码") else Force.SECRET


def _kind(word: str) -> str:
    return next((kind for form, kind in _KINDS if form.search(word)), "secret")
