"""Checks the declared protocol against itself and against what the doors really offer. Reads only. Pure.

What a door offers is found structurally, by whoever calls `check`: the names in its real URL or tool registry.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from types import MappingProxyType
from typing import Literal

from memory.protocol.operations import OPERATIONS
from memory.protocol.verbs import FROZEN, VERBS, VERSION, Verb
from memory.protocol.vocabulary import VerbStatus

Level = Literal["WARN", "FAIL"]
FROZEN_FINGERPRINTS: Mapping[str, str] = MappingProxyType({})
"""By version, the fingerprint of the shapes once they are frozen. A change then needs a new version."""


@dataclass(frozen=True, slots=True)
class Surface:
    """A door: its name, and the names of what can be called there."""

    name: str
    offers: frozenset[str]


@dataclass(frozen=True, slots=True)
class Declared:
    """What is checked; the real declarations by default, others in tests."""

    verbs: Mapping[str, Verb]
    operations: Mapping[str, str]
    version: str = VERSION
    frozen: bool = FROZEN
    fingerprints: Mapping[str, str] = field(default_factory=lambda: FROZEN_FINGERPRINTS)


REAL = Declared(VERBS, OPERATIONS)


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report. `ok` of a WARN is information, of a FAIL a verdict."""

    id: str
    level: Level
    ok: bool
    detail: str


def check(surfaces: Iterable[Surface], declared: Declared = REAL) -> list[Finding]:
    """Return the findings of every check."""
    doors = list(surfaces)
    checks: tuple[tuple[str, Level, Iterator[str], str], ...] = (
        ("protocol.op.extension_surface", "WARN", _unlisted(doors, declared), _sizes(declared)),
        ("protocol.verb.implemented", "FAIL", _missing(doors, declared), "every live verb is there"),
        ("protocol.verb.reserved_clean", "FAIL", _sneaked_in(doors, declared), "no reserved verb is"),
        ("protocol.shape.declared", "FAIL", _undeclared(declared), "every verb says what it answers"),
        ("protocol.shape.frozen", "FAIL", _changed(declared), _seal(declared)),
    )
    found = [(id, level, list(problems), praise) for id, level, problems, praise in checks]
    return [Finding(id, level, not problems, "; ".join(problems) or praise) for id, level, problems, praise in found]


def fingerprint(declared: Declared = REAL) -> str:
    """Return a hash of everything that a client can rely on: names, needs, inputs, forms and their keys."""
    told = {name: _told(verb) for name, verb in declared.verbs.items()}
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


def _told(verb: Verb) -> dict[str, object]:
    forms = {
        form: [shape.when, shape.http_status, shape.answer.model_json_schema() if shape.answer else None]
        for form, shape in verb.shapes.items()
    }
    inputs = verb.inputs.model_json_schema() if verb.inputs else None
    return {"status": verb.status, "mutates": verb.mutates, "needs": verb.needs, "inputs": inputs, "forms": forms}


def _unlisted(doors: list[Surface], declared: Declared) -> Iterator[str]:
    known = declared.verbs.keys() | declared.operations.keys()
    for door in doors:
        if strangers := sorted(door.offers - known):
            yield f"{door.name} offers operations that are not listed: {', '.join(strangers)}"


def _sizes(declared: Declared) -> str:
    return f"{len(declared.verbs)} verbs, {len(declared.operations)} operations beside them"


def _missing(doors: list[Surface], declared: Declared) -> Iterator[str]:
    live = {name for name, verb in declared.verbs.items() if verb.status is VerbStatus.LIVE}
    if not doors:
        yield "there is no door"
    for door in doors:
        if absent := sorted(live - door.offers):
            yield f"{door.name} lacks {', '.join(absent)}"


def _sneaked_in(doors: list[Surface], declared: Declared) -> Iterator[str]:
    reserved = {name for name, verb in declared.verbs.items() if verb.status is VerbStatus.RESERVED}
    for door in doors:
        if built := sorted(reserved & door.offers):
            yield f"{door.name} offers {', '.join(built)}, which is reserved"


def _undeclared(declared: Declared) -> Iterator[str]:
    for name, verb in declared.verbs.items():
        for wanting, problem in _LACKS:
            if wanting(verb):
                yield f"{name} {problem}"


def _is_live(verb: Verb) -> bool:
    return verb.status is VerbStatus.LIVE


_LACKS: tuple[tuple[Callable[[Verb], bool], str], ...] = (
    (lambda verb: _is_live(verb) and not verb.shapes, "has no shape"),
    (lambda verb: any(not shape.when for shape in verb.shapes.values()), "has a shape that doesn't say when"),
    (lambda verb: not _is_live(verb) and not verb.map_to, "is reserved and doesn't say how its job is done today"),
    (lambda verb: _is_live(verb) and (not verb.impl or find_spec(verb.impl) is None), "is live and has no module"),
)


def _changed(declared: Declared) -> Iterator[str]:
    if declared.frozen and declared.fingerprints.get(declared.version) != fingerprint(declared):
        yield f"the shapes of version {declared.version} are frozen and have changed: make it a new version"


def _seal(declared: Declared) -> str:
    return f"version {declared.version}, {'frozen' if declared.frozen else 'not frozen'}, {fingerprint(declared)[:16]}"
