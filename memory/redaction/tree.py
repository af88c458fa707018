"""Whole payloads: every text in a JSON value, its keys too, and secrets whose name is a key."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from memory.redaction.detectors.assignments import is_secret_value
from memory.redaction.names import Force, force_of, kind_of, telling_names
from memory.redaction.pipeline import redact

JSON = None | bool | int | float | str | Sequence["JSON"] | Mapping[str, "JSON"]
_NAME_KEYS = ("name", "key", "variable", "field", "header", "param")
_VALUE_KEYS = frozenset(("value", "val", "data", "content", "secret_value", "default"))


def redact_tree(value: JSON) -> tuple[JSON, Counter[str]]:
    """Redact every text and every key of a payload; say how many findings of each kind.

    A key tells of the texts under it as a name does in `name=value`: `{"password": "hunter2"}` loses its value.
    Numbers, booleans and nulls stay; so do the payload's shape and the order of its keys.
    """
    counts: Counter[str] = Counter()
    return _walked(value, None, counts), counts


def _walked(value: JSON, name: str | None, counts: Counter[str]) -> JSON:
    if isinstance(value, str):
        return _text(value, name, counts)
    if isinstance(value, Mapping):
        called = _called(value)
        return {
            _text(key, None, counts): _walked(each, called if called and key in _VALUE_KEYS else key, counts)
            for key, each in value.items()
        }
    if isinstance(value, Sequence):
        return [_walked(each, name, counts) for each in value]
    return value


def _text(value: str, name: str | None, counts: Counter[str]) -> str:
    redacted = redact(value)
    if redacted.findings:
        counts.update(each.kind for each in redacted.findings)
        return redacted.text
    force = _force(name) if name and value else None
    if force is not None and is_secret_value(value, force, literal=True):
        kind = kind_of(name or "")
        counts[kind] += 1
        return f"[redacted:{kind}]"
    return value


def _force(name: str) -> Force | None:
    if name.isascii():
        return force_of(name)
    return max((each.force for each in telling_names(name)), default=None)


def _called(pairs: Mapping[str, JSON]) -> str | None:
    """The telling name in `{"name": "API_KEY", "value": "..."}`."""
    for key in _NAME_KEYS:
        name = pairs.get(key)
        if isinstance(name, str) and len(name) <= 128 and _force(name) is not None:
            return name
    return None
