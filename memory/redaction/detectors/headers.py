"""Credentials in HTTP headers, cookies and command lines."""

from __future__ import annotations

import re
from collections.abc import Iterator

import re2

from memory.redaction.finding import Finding
from memory.redaction.shapes import is_placeholder, is_reference, is_wordy

SCHEMES = re2.compile(
    r"(?i)\b(?:bearer|basic|token|apikey|negotiate|hawk|ntlm|aws4-hmac-sha256)[ \t:]{1,4}[\"']?"
    r"[A-Za-z0-9_./+=~:%|-]{8,}"
)
_VALUE = re.compile(r"(?i)(\w[\w-]*)[ \t:]+[\"']?([A-Za-z0-9_./+=~:%|-]+)")
COOKIES = re2.compile(r"(?i)\b(?:set-)?cookie[\"']?\s{0,4}[:=]\s{0,4}[\"']?")
_PAIR = re.compile(r"\s*([\w.$!%-]{1,64})=([^;\s\"']{6,4096})(?:;|(?=[\s\"'])|$)")
_COOKIE_ATTRIBUTES = re.compile(
    r"(?i)expires|path|domain|max-age|samesite|lang|locale|theme|tz|timezone|currency|consent|version|priority"
)
LOGIN_FLAG = re2.compile(
    r"(?:^|\s)(?:-u|--user|--proxy-user|-U|--credentials?|--creds|--auth|-a)[ =]{0,2}[\"']?[^\s\"'\n]{1,256}"
)
_LOGIN = re.compile(r"([^\s:\"'/]{0,128}):([^\s\"']{3,256})$")
COMMAND = re2.compile(
    r"\b(?:docker|podman|helm|mysql\w*|mariadb\w*|mongo\w*|sshpass|redis-cli|sqlcmd|az|oc|nerdctl|crane|psql|ldapsearch"
    r"|smbclient|unzip|zip|7z|htpasswd)[ \t]"
)
_FLAGGED = re.compile(r"\s(?:-p|-P|-w|-a)[ =]?[\"']?(?![-\"'])([^\s\"'|;&]{4,256})")
_LINE = 256  # characters of a command's line that are looked at


def authorization(text: str) -> Iterator[Finding]:
    """Yield what follows `Bearer`, `Basic` and other schemes of the Authorization header."""
    for match in SCHEMES.finditer(text):
        found = _VALUE.match(text, match.start(), match.end())
        if found is None:
            continue
        value = found.group(2).rstrip(".:")
        scheme = found.group(1).lower()
        least = 8 if scheme == "basic" else 12
        if len(value) >= least and not value.startswith("sha256:") and not _idle(value) and not is_wordy(value):
            kind = "basic-auth" if scheme == "basic" else "token"
            yield Finding(kind, found.start(2), found.start(2) + len(value))


def cookies(text: str) -> Iterator[Finding]:
    """Yield the values of a Cookie or Set-Cookie header that are no mere settings."""
    for header in COOKIES.finditer(text):
        place = header.end()
        while (pair := _PAIR.match(text, place)) is not None:
            place = pair.end()
            name, value = pair.groups()
            if not _COOKIE_ATTRIBUTES.fullmatch(name) and len(value) >= 8 and not _idle(value) and not is_wordy(value):
                yield Finding("cookie", pair.start(2), pair.end(2))


def command_lines(text: str) -> Iterator[Finding]:
    """Yield the password of `curl -u user:password`, `docker login -p password`, `sshpass -p password`."""
    for match in LOGIN_FLAG.finditer(text):
        found = _LOGIN.search(text[: match.end()], match.start())
        if found and not _idle(found.group(2)) and not re.match(r"\d{1,5}$", found.group(2)):
            yield Finding("basic-auth", found.start(2), found.end(2))
    yield from _flagged(text)


def _flagged(text: str) -> Iterator[Finding]:
    """Yield what stands behind `-p` on the line of a command that takes a password there."""
    done = 0
    for command in COMMAND.finditer(text):
        if command.start() < done:
            continue
        newline = text.find("\n", command.end(), command.end() + _LINE)
        done = newline if newline >= 0 else min(len(text), command.end() + _LINE)
        for found in _FLAGGED.finditer(text, command.end() - 1, done):
            value = found.group(1)
            if not _idle(value) and not _is_port_or_path(value):
                yield Finding("password", *found.span(1))


def _idle(value: str) -> bool:
    return is_placeholder(value) or is_reference(value)


def _is_port_or_path(value: str) -> bool:
    return re.fullmatch(r"\d{1,5}(?::\d{1,5})?|[/.].*|[a-z]+", value) is not None
