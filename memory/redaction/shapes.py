"""What a value looks like: made by a machine, made up by a person, or harmless.

Every function looks at one value without its quotes and costs time linear in it.
"""

from __future__ import annotations

import re
from itertools import pairwise

from memory.redaction.vocabulary import EMPTY_WORDS, JARGON, RARE_PAIRS

LONGEST = 128  # characters of one value that are looked at; what follows is more of the same

_PLACEHOLDER = re.compile(
    r"""(?xi)
    \ufffc | \[redacted | <[^<>\n]*>$ | ^[<({\[%*.…•·_x-]*$ | ^\$\{?\w | ^\$[({] | \{\{ | \$\{ | ^%[\w.]+%$ | ^%[({]
    | ^values?\d*(?!\w) | ^\W?[a-z_-]*(?:password|passwd|secret|token)\d?\W*$
    | \.\.\.$ | …$ | \*{3} | •{3} | x{5} | (?:^|[_-])x{3,}(?:$|[_-])
    | ^(?:your|my|some|the|an?|insert|enter|put|replace|add|fill|use)[-_ ]
    | change[-_ ]?(?:me|this|it)\b | (?:^|[-_])(?:here|goes[-_]here)$
    | (?:^|[-_ ])(?:example|sample|dummy|fake|placeholder|todo|tbd|redacted|masked|hidden|removed|fixme)(?:$|[-_ ])
    | your[-_]?(?:api|own|token|key|secret|password|access|client) | put_your | _here\b
    | (?-i:EXAMPLE) | example\d*$ | 0123456789 | abcdefghijk | 1234567890(?:$|ab)
    """
)
_REFERENCE = re.compile(
    r"""(?xi)
    ^\$\w | ^[@!%&*][A-Za-z_]\w*$ | `$ | ^!(?:ref|sub|vault|secret|env) | ^ENC\[ | ^arn:aws | ^\#/
    | ^(?:op|vault|ref|ssm|sops|secret|keyring|env|file)(?:\+\w+)?: | secrets\. | process\.env | environ | getenv
    | ^\w+(?:\.\w+)*\[ | ^[\w.:>*&-]*\w\( | ^(?:await|new|lambda|function|return)\b
    | ^(?:true|false|null|none|undefined)\b | \|\| | && | :// | \]\( | ^(?:/|\./|\.\./|~/|[A-Z]:\\)[\w./\\@ -]*$
    | A-Za-z | a-zA-Z | \|\w+\| | \(\? | \[\^ | \\[wdWDsS] | \[(?:a-z|A-Z|0-9)  # an expression of a pattern
    """
)
_DOTTED = re.compile(r"[A-Za-z_]\w*(?:(?:\.|->|::|\?\.)[A-Za-z_]\w*)+(?:\(\)?)?[;,]?")
_UUID = re.compile(r"(?i)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_HEX = re.compile(r"(?i)(?:0x)?[0-9a-f]+")
_NUMERIC = re.compile(r"[+~<>≥≤≈]?[\d.,:/+TZ -]+(?:%|[a-zA-Z]{1,3})?")
_PATH = re.compile(r"[\w.@-]+(?:/[\w.@-]+)+/?(?::\d{1,6}){0,2}")
_POD = re.compile(r"[a-z0-9.-]+-[0-9a-f]{8,10}-[a-z0-9]{5}")
_HOST = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,12}(?::\d{1,5})?(?:/.*)?")
_ADDRESS = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_LINK = re.compile(r"(?i)[a-z][a-z0-9+.-]*://\S*")
_TECHNICAL = re.compile(
    r"""(?xi)
    v?\d+(?:\.\w+)+ | 1password | [a-z]{2,8}-\d{2,6} | (?:win|linux|macos|darwin|x86|arm)(?:[-_][a-z0-9_]{1,12}|\d\d)
    | (?:sha|md|aes|rsa|rs|es|hs|ps|ed|hmac|utf|base|argon|pbkdf|socks|float|uint|urllib|latin|cp|koi|bcrypt|scrypt|gh
      |oauth|tls|ssl|http|http/|ipv|python|py|node|java|win|x|i|arm|amd|rfc|iso|ecdsa|curve|blake|cl|gpt|k|s|h|l|p|step
      |day|week|phase|sprint|q|page|line|port|version|build|rev|part|chapter|section|level|rank|user|server|host|db
      |cache|web|app|pod|shard|zone|region|test)[-_ /]?\d{1,5}(?:\.\d+)*[a-z]{0,2}
    """
)
_STRIKING = re.compile(r"\w[!#$%^&*?~]|[!#$%^&*?~@]\w")
_CODE = re.compile(r"[(`\"'{<\\]|\w+=|[a-z]+:\W")
_NO_DIGITS = dict.fromkeys(range(ord("0"), ord("9") + 1))
_PIECES = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_SIGNS = re.compile(r"[\W_]+")
_SPLIT = re.compile(r"[^A-Za-z0-9]+")
_BRANDS = re.compile(
    r"OAuth|IPv|MySQL|PostgreSQL|GraphQL|WebGL|NoSQL|iOS|macOS|YouTube|GitHub|GitLab|WiFi|eBPF|HTTPS?2"
)


def is_placeholder(value: str) -> bool:
    """Say whether a person would fill something in here: `<token>`, `xxxx`, `changeme`, one sign repeated."""
    if value.lower() in EMPTY_WORDS or _PLACEHOLDER.search(value[:LONGEST]):
        return True
    pieces = _PIECES.findall(value[:LONGEST])
    if pieces and value[:1].isalpha() and all(piece.lower() in EMPTY_WORDS for piece in pieces):
        return True
    core = _SIGNS.sub("", value[:LONGEST])
    tail = core[-min(len(core), 16) :]
    return len(set(core)) <= 2 or (len(core) >= 12 and (len(set(tail)) <= 2 or _is_patterned(core)))


def _is_patterned(core: str) -> bool:
    """Say whether signs follow a pattern no generator makes: counting up or down, or one block over and over."""
    tail = core[-16:]
    blocks = any(tail[size:] == tail[:-size] for size in range(3, len(tail) // 2 + 1))
    return blocks or sum(abs(ord(a) - ord(b)) <= 1 for a, b in pairwise(core)) >= 0.6 * (len(core) - 1)


def is_reference(value: str) -> bool:
    """Say whether the value only points to a secret: a variable, a call, a path, a vault's address."""
    if _REFERENCE.search(value[:LONGEST]) is not None:
        return True
    if value[:1].isupper() and any(c.isdigit() for c in value):
        return False
    return _DOTTED.fullmatch(value) is not None and all(map(is_wordy, re.findall(r"\w+", value)))


def is_uuid(value: str) -> bool:
    """Say whether the whole value is a UUID."""
    return _UUID.fullmatch(value) is not None


def is_hex(value: str) -> bool:
    """Say whether the whole value is hexadecimal digits, as commit ids and digests are."""
    return _HEX.fullmatch(value) is not None


def is_ordinary(value: str) -> bool:
    """Say whether the value is a number, date, version, host, address, link, pod or technical term."""
    if _PATH.fullmatch(value) and is_wordy(value):
        return True
    return any(form.fullmatch(value) for form in (_NUMERIC, _POD, _HOST, _ADDRESS, _LINK, _TECHNICAL))


def is_wordy(value: str) -> bool:
    """Say whether the value is words and short numbers joined by signs or capitals, as identifiers are."""
    value = _BRANDS.sub("Word", value)
    pieces = _PIECES.findall(value)
    if not pieces or _choppy(value, pieces):
        return False
    letters = [piece for piece in pieces if piece.isalpha() and len(piece) > 3 + 2 * piece.isupper()]
    numbers = [part for part in re.findall(r"(?<=[A-Za-z])\d+|\d+(?=[A-Za-z])", value) if len(part) > 4]
    return not numbers and not any(is_gibberish(piece) for piece in letters if piece.lower() not in JARGON)


def _choppy(value: str, pieces: list[str]) -> bool:
    """Many short pieces, and digits amid letters, are how random characters fall."""
    parts = [part for part in _SPLIT.split(value) if part]
    changes = len(pieces) - len(parts)
    mixed = sum(1 for part in parts if len(_PIECES.findall(part)) >= 4)
    size = sum(map(len, pieces))
    return changes >= 3 and (
        size / len(pieces) < 2.7 or (mixed > 0 and size / len(pieces) < 3.1 and any(map(str.isdigit, value)))
    )


def is_gibberish(letters: str) -> bool:
    """Say whether a run of letters holds pairs that hardly any word has."""
    low = letters.lower()
    rare = sum(low[i : i + 2] in RARE_PAIRS for i in range(len(low) - 1))
    vowels = sum(low.count(v) for v in "aeiouy")
    return rare >= 2 or (rare == 1 and len(low) <= 5) or (len(low) >= 6 and vowels <= len(low) // 8)


def is_random(value: str, *, least: int = 12) -> bool:
    """Say whether a machine made it: long enough, many different signs, nothing that reads as words."""
    core = _SPLIT.sub("", value[:LONGEST])
    if len(core) < least or len(set(core)) < min(10, 4 + len(core) // 5):
        return False
    if is_hex(core):
        return len(core) >= 16 and any(c.isdigit() for c in core) and not core.isdigit()
    return not is_wordy(value[:LONGEST]) and not is_ordinary(value)


def is_strong(value: str) -> bool:
    """Say whether it is random beyond doubt without any name beside it: letters of both kinds and digits, no hex."""
    core = _SPLIT.sub("", value[:LONGEST])
    digits = len(core) - len(core.translate(_NO_DIGITS))
    if is_hex(core) or is_uuid(value) or not 2 <= digits <= len(core) * 0.8:
        return False
    return is_random(value, least=16)


def is_code(value: str) -> bool:
    """Say whether a value holds what expressions hold and passwords hardly do: calls, quotes, `name=`."""
    return _CODE.search(value) is not None


def is_mixed(value: str) -> bool:
    """Say whether a value holds digits or signs, and letters, in a way that words do not."""
    upper = any(c.isupper() for c in value)
    digits = any(c.isdigit() for c in value)
    signs = any(not c.isalnum() and c not in "-_./:'," for c in value)
    return (upper and digits and any(c.islower() for c in value)) or (signs and digits) or (signs and upper)


def is_striking(value: str) -> bool:
    """Say whether a value holds letters, digits and a sign that neither names nor paths hold."""
    return _STRIKING.search(value) is not None and is_mixed(value) and is_made_up(value)


def is_made_up(value: str) -> bool:
    """Say whether a person could have made it up as a password: letters with digits or signs, no ordinary term."""
    if len(value) < 5 or is_ordinary(value) or is_uuid(value):
        return False
    digits = any(c.isdigit() for c in value)
    signs = any(not c.isalnum() and c not in "-_./:'" for c in value)
    letters = any(c.isalpha() for c in value)
    mixed = value != value.lower() and value != value.upper() and not value[1:].islower()
    return letters and (digits or (signs and mixed) or (signs and is_gibberish("".join(filter(str.isalpha, value)))))
