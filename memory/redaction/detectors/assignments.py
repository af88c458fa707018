"""Values given to a telling name: `NAME=value`, JSON, YAML, TOML, calls, markup, flags."""

from __future__ import annotations

import re

from memory.redaction.force import Force
from memory.redaction.names import Name
from memory.redaction.shapes import is_made_up
from memory.redaction.weighing import is_secret_value, is_spoken_key

_TYPE = r"(?::[ \t]*[\w.]{1,24}(?:[\[<][\w., |]{1,24}[\]>])?\??[ \t]*)?"
_SIGN = re.compile(
    rf"(?:\[[\w\"']{{0,24}}\])?[\"'`\]*\\]{{0,3}}[ \t]{{0,16}}{_TYPE}(:=|=>|->|={{1,3}}|:(?!:))[ \t]{{0,16}}"
)
_PAIR = re.compile(r"\\?[\"'][ \t]*,[ \t]*(?=[\"'][^\"'\s]{4,200}[\"'][ \t]*[)\]}])")
_OPENED = frozenset(opening + quote for opening in "([{" for quote in "\"'")
_NAMED_VALUE = re.compile(r"\\?[\"']?[ \t]*,?\s{0,24}[\"']?\w{0,16}[vV]alue\\?[\"']?[ \t]*[:=][ \t]*")
_TAG = re.compile(r"[\"']?[ \t]*>[ \t]*")
_DASHES = re.compile(r"(?:^|\s)--?$")
_FLAG_GAP = re.compile(r"[ \t]+(?=[^\s-])")
_QUOTED = re.compile(r"(?:[brfuBRFUL@$]{0,2})(\\?(?:\"\"\"|'''|[\"'`]))")
_NEXT_LINE = re.compile(r"(?:[|>][+-]?)?[ \t]*\r?\n[ \t]{1,32}(?=\S)")
_BARE = re.compile(
    r"[^\s\"'`<>,;&(){}\[\]|，。；！？、）》」』】]+"
    r"(?:[,;&(){}\[\]|]+[^\s\"'`<>,;&(){}\[\]|，。；！？、）》」』】]+)*[)}\]]{0,2}"
)
_CUT = re.compile(
    r"[,;&](?=[A-Za-z][\w .-]{0,40}=|$)|[&#](?=[\w.-]{1,40}=)|[,;](?=[\"'{\[])|\\[nrt](?=\W|[A-Za-z_]+=|$)"
)
_VARIABLE = re.compile(r"[a-z]+(?:_[a-z]+)*|[a-z]+(?:[A-Z][a-z]+)+")
_MORE = re.compile(r"[^\s\"'`<>,;&|]*")
LONGEST = 512  # characters of a bare value looked at before it is taken for a secret; a quoted one may be longer
LONGEST_QUOTED = 4096
_BEGINS_NOTATION = frozenset("=:->,\"'`]*\\[(")
_LOGIN_PAIR = re.compile(
    r"[\"'\]]{0,2}[ \t]{0,4}[=:]?[ \t]{0,4}\(\s{0,16}[\"'][\w.@-]{1,64}[\"'],"
    r"\s{0,16}[\"']([^\"'\s]{5,256})[\"']\s{0,16}\)"
)
_CALL = re.compile(r"\((?=[\"'][^\"'\s]{5,256}[\"']\))")
_SETS = re.compile(r"(?i)(?:set|with|use|add)\w*|\w*auth|[a-z]*(?:password|passwd|secret|token|apikey|key)")
_SCHEME = re.compile(r"(?i)(?:bearer|basic|token|apikey)[ \t]+(?=\S)")

Span = tuple[int, int]


def assigned_value(text: str, name: Name) -> Span | None:
    """Find the value a telling name is given by some notation and weigh it; None where there is none to hide."""
    follows = text[name.end : name.end + 24].lstrip(" \t")[:1]
    if follows not in _BEGINS_NOTATION and text[name.start - 1 : name.start] != "-":
        return None
    login = _LOGIN_PAIR.match(text, name.end, name.end + 400)
    if (
        login is not None
        and is_made_up(login.group(1))
        and is_secret_value(login.group(1), Force.PASSWORD, literal=True)
    ):
        return login.span(1)
    for notation in (_after_sign, _in_pair, _beside_value, _in_tag, _after_flag, _in_call):
        start = notation(text, name)
        if start is not None:
            return _weighed(text, name, start)
    return None


def _after_sign(text: str, name: Name) -> int | None:
    sign = _SIGN.match(text, name.end, name.end + 128)
    return sign.end() if sign else None


def _in_pair(text: str, name: Name) -> int | None:
    pair = _PAIR.match(text, name.end, name.end + 256)
    return pair.end() if pair and text[name.start - 2 : name.start] in _OPENED else None


def _beside_value(text: str, name: Name) -> int | None:
    value = _NAMED_VALUE.match(text, name.end, name.end + 80)
    return value.end() if value else None


def _in_tag(text: str, name: Name) -> int | None:
    tag = _TAG.match(text, name.end, name.end + 8)
    return tag.end() if tag and "<" in text[max(0, name.start - 32) : name.start] else None


def _after_flag(text: str, name: Name) -> int | None:
    if not _DASHES.search(text[max(0, name.start - 3) : name.start]):
        return None
    gap = _FLAG_GAP.match(text, name.end, name.end + 4)
    return gap.end() if gap else None


def _in_call(text: str, name: Name) -> int | None:
    call = _CALL.match(text, name.end, name.end + 128)
    if call is None or not _SETS.match(text, name.start, name.end):
        return None
    return call.end()


def _weighed(text: str, name: Name, start: int) -> Span | None:
    line = _NEXT_LINE.match(text, start, start + 48)
    start = line.end() if line else start
    quote = _QUOTED.match(text, start, start + 8)
    if quote is not None and _closes(text, name, quote):
        return None
    span = (quote.end(), _quoted_end(text, quote)) if quote else (start, _bare_end(text, start))
    scheme = _SCHEME.match(text, *span)
    span = (scheme.end(), span[1]) if scheme else span
    value = text[span[0] : min(span[1], span[0] + LONGEST)]
    env = _is_env(text, name, start)
    literal = quote is not None or env
    if quote is None and (text[span[1] : span[1] + 1] in ("(", "[") or _is_variable(value, name)):
        return None
    told = is_secret_value(value, name.force, literal=literal) or (env and is_spoken_key(value, name.force))
    if not value or not told:
        return None
    more = _MORE.match(text, span[1]) if quote is None and len(value) >= LONGEST - 8 else None
    return (span[0], more.end()) if more else span


def _closes(text: str, name: Name, quote: re.Match[str]) -> bool:
    """Say whether a quote ends the text that the name stands in, as in `ask("Password: ")`, or opens a docstring."""
    sign = quote.group(1)
    if len(sign) == 3:
        return "\n" in text[name.end : quote.start()]
    line = text[max(0, name.start - 80) : name.start].rpartition("\n")[2]
    return text[name.end] not in "\"'`\\]" and line.count(sign) % 2 == 1


def _quoted_end(text: str, quote: re.Match[str]) -> int:
    """Find the closing quote, past escaped ones; without one the value ends like a bare one."""
    sign, place = quote.group(1), quote.end()
    while (found := text.find(sign, place, quote.end() + LONGEST_QUOTED)) >= 0:
        if sign[0] == "\\" or text[found - 1] != "\\":
            return found
        place = found + 1
    return _bare_end(text, quote.end())


def _is_variable(value: str, name: Name) -> bool:
    return name.force is not Force.PASSWORD and _VARIABLE.fullmatch(value) is not None


def _is_env(text: str, name: Name, start: int) -> bool:
    """Say whether a bare value stands in an environment file, a shell line or a query, where all values are texts."""
    if text[name.end : start] != "=":
        return False
    return text[name.start : name.end].isupper() or text[name.start - 1 : name.start] in ("", "\n", "?", "&", ";")


def _bare_end(text: str, start: int) -> int:
    bare = _BARE.match(text, start, start + LONGEST)
    if bare is None:
        return start
    value = bare.group()
    cut = _CUT.search(text, start, bare.end() + 48)
    value = text[start : cut.start()] if cut and cut.start() < bare.end() else value
    value = value.rstrip(".,;:")
    if any(value.count(opening) < value.count(closing) for opening, closing in ("()", "{}", "[]")):
        value = value.rstrip(")}].,;:")
    return start + len(value)
