"""Secrets that a telling name stands beside: in a notation first, in a sentence else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import zip_longest

from memory.redaction.detectors.assignments import assigned_value
from memory.redaction.detectors.logins import told_login
from memory.redaction.detectors.prose import REACH, SENTENCE_END, told_value
from memory.redaction.detectors.sayings import phrase, said_before
from memory.redaction.finding import Finding
from memory.redaction.names import Name, telling_names

Span = tuple[int, int]
CLOSE = 2  # characters; names that stand this close are one name: `密码密码`, `password password`
MORE = 4  # further values one name may hand over: `changed from A to B`


def named_secrets(text: str) -> Iterator[Finding]:
    """Yield each value that a telling name gives away; a name inside a found value says nothing more."""
    done = 0
    spoken: Name | None = None
    names = [*telling_names(text)]
    for name, following in zip_longest(names, names[1:]):
        if name.start < done or _in_resource(text, name):
            continue
        spoken = _carried(text, spoken, name)
        if (
            following is not None
            and following.start - name.end <= CLOSE
            and not text[name.end : following.start].strip()
        ):
            continue
        for span in _values(text, name, spoken, _limit(text, following)):
            done, spoken = max(done, span[1]), None
            yield Finding(name.kind, *span)


def _values(text: str, name: Name, spoken: Name, end: int) -> Iterator[Span]:
    """Yield what a name gives away, by the first way of saying it that fits."""
    span = assigned_value(text, name)
    if span is not None:
        yield span
        return
    if text[name.end : name.end + 1] == "(" and text[name.start].isascii():
        return
    span = phrase(text, name) or told_value(text, spoken, end) or told_login(text, name, end)
    if span is None:
        span = said_before(text, name)
        if span is not None:
            yield span
        return
    for _ in range(MORE):
        yield span
        span = told_value(text, replace(spoken, end=span[1]), end, again=True)
        if span is None:
            return


def _carried(text: str, spoken: Name | None, name: Name) -> Name:
    """Lend a name the force of a stronger one before it in the same sentence: `the password of the key is ...`."""
    if spoken is None or name.start - spoken.end > REACH // 2 or SENTENCE_END.search(text, spoken.end, name.start):
        return name
    return replace(name, force=max(spoken.force, name.force))


def _in_resource(text: str, name: Name) -> bool:
    """Say whether a name is a part of a cloud resource's address, `arn:...:secret:...`."""
    return text[name.start - 1 : name.start] == ":" and "arn:" in text[max(0, name.start - 64) : name.start]


def _limit(text: str, following: Name | None) -> int:
    """How far a name's words go: up to the next name, which may itself be the beginning of a value."""
    if following is None or any(c.isdigit() for c in text[following.start : following.end]):
        return len(text)
    return following.start + (text[following.end : following.end + 1] not in ("=", ":", ""))
