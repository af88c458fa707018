"""Whole payloads: every text in a JSON value, its keys too, and secrets whose name is a key."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from memory.redaction.force import Force, force_of, kind_of
from memory.redaction.names import telling_names
from memory.redaction.own_rules import NO_OWN_RULES, OwnRules
from memory.redaction.pipeline import redact
from memory.redaction.weighing import is_secret_value

JSON = None | bool | int | float | str | Sequence["JSON"] | Mapping[str, "JSON"]
_NAMES = ("name", "key", "variable", "field", "header", "param")
_VALUES = frozenset(("value", "val", "data", "content", "secret_value", "default"))
LONGEST_NAME = 128


def redact_tree(value: JSON, *, own: OwnRules = NO_OWN_RULES) -> tuple[JSON, Counter[str]]:
    """Redact every text and every key of a payload; say how many findings of each kind.

    A key tells of the texts under it as a name does in `name=value`: `{"password": "hunter2"}` loses its value.
    Numbers, booleans and nulls stay; so do the payload's shape and the order of its keys. Any depth is walked.
    """
    counts: Counter[str] = Counter()
    root: list[Any] = [value]
    waiting: list[tuple[Any, Any, str | None]] = [(root, 0, None)]
    while waiting:
        holder, place, name = waiting.pop()
        held = holder[place]
        if isinstance(held, str):
            holder[place] = _text(held, name, counts, own)
        elif isinstance(held, Mapping):
            holder[place] = copy = _with_clean_keys(held, counts, own)
            waiting += ((copy, key, told) for key, told in zip(copy, _told(held, name), strict=True))
        elif isinstance(held, Sequence):
            holder[place] = items = [*held]
            waiting += ((items, index, name) for index in range(len(items)))
    return root[0], counts


def _with_clean_keys(pairs: Mapping[str, Any], counts: Counter[str], own: OwnRules) -> dict[str, Any]:
    clean: dict[str, Any] = {}
    for key, each in pairs.items():
        written = _text(key, None, counts, own)
        while written in clean:
            written += "'"
        clean[written] = each
    return clean


def _told(pairs: Mapping[str, Any], name: str | None) -> list[str | None]:
    """Name what each value of an object is called: by its key, or by its neighbour as in `{"name": N, "value": V}`."""
    called = next((pairs[key] for key in _NAMES if _tells(pairs.get(key))), name)
    return [called if key in _VALUES and called else key for key in pairs]


def _tells(name: Any) -> bool:
    return isinstance(name, str) and len(name) <= LONGEST_NAME and _force(name) is not None


def _text(value: str, name: str | None, counts: Counter[str], own: OwnRules) -> str:
    redacted = redact(value, own=own)
    if redacted.findings:
        counts.update(each.kind for each in redacted.findings)
        return redacted.text
    force = _force(name) if name and value else None
    if name is None or force is None or own.allows(value) or not is_secret_value(value, force, literal=True):
        return value
    kind = kind_of(name)
    counts[kind] += 1
    return f"[redacted:{kind}]"


def _force(name: str) -> Force | None:
    if name.isascii():
        return force_of(name)
    return max((each.force for each in telling_names(name[:LONGEST_NAME])), default=None)
