"""The verbs: names, what they need, what they answer. The single source of truth for every door."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from memory.protocol import shapes
from memory.protocol.vocabulary import VerbStatus
from orgs.roles import Permission

VERSION = "1"
FROZEN = False


@dataclass(frozen=True, slots=True)
class Shape:
    """One form of an answer: when it is given and what it holds (None: the answer is JSON null)."""

    when: str
    answer: type[shapes.Answer] | None
    http_status: int = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Verb:
    """One verb of the protocol.

    `needs`: groups of parameters of which at least one must be there. `impl`: the module that does it,
    for a live verb; `map_to`: how its job is done today, for a reserved one.
    """

    name: str
    summary: str
    status: VerbStatus
    mutates: bool
    permission: Permission
    needs: tuple[tuple[str, ...], ...]
    inputs: type[shapes.Inputs] | None = None
    shapes: Mapping[str, Shape] = field(default_factory=dict)
    impl: str = ""
    map_to: str = ""


def _live(name: str, summary: str, **declared: object) -> Verb:
    return Verb(name=name, summary=summary, status=VerbStatus.LIVE, impl=f"memory.verbs.{name}", **declared)  # type: ignore[arg-type]


def _reserved(name: str, summary: str, *, map_to: str, **declared: object) -> Verb:
    return Verb(name=name, summary=summary, status=VerbStatus.RESERVED, map_to=map_to, **declared)  # type: ignore[arg-type]


_DECLARED = (
    _live(
        "remember",
        "Save one fact with where it came from. Adds a record; never rewrites or removes one.",
        mutates=True,
        permission=Permission.WRITE,
        needs=(("content",),),
        inputs=shapes.RememberInputs,
        shapes={"committed": Shape("the record is stored", shapes.RememberedRecord, 201)},
    ),
    _live(
        "search",
        "Find facts by meaning, words or names, each with its status.",
        mutates=False,
        permission=Permission.VIEW,
        needs=(("query",),),
        inputs=shapes.SearchInputs,
        shapes={"list": Shape("always", shapes.SearchAnswer)},
    ),
    _live(
        "forget",
        "Remove a record, or all of one source, from search and graph; that it existed stays for audit.",
        mutates=True,
        permission=Permission.FORGET,
        needs=(("memory_id",), ("id",), ("source_id",)),
        inputs=shapes.ForgetInputs,
        shapes={
            "forgotten": Shape("one record was named and is live", shapes.Forgotten),
            "forgotten_source": Shape("source_id was given", shapes.ForgottenSource),
            "restored": Shape("action is restore", shapes.Restored),
            "failed": Shape("no such record here, or nothing to restore", shapes.Failed, 404),
        },
    ),
    _live(
        "validate_memory",
        "Check records against their source as it is now; changes nothing.",
        mutates=False,
        permission=Permission.VIEW,
        needs=(("source_id",), ("fact_key",), ("ids",), ("workspace",), ("scope",), ("current_source_hash",)),
        inputs=shapes.ValidateInputs,
        shapes={"checked": Shape("always", shapes.ValidateAnswer)},
    ),
    _reserved(
        "route",
        "Say what is known and which capability to use; executes nothing.",
        mutates=False,
        permission=Permission.VIEW,
        needs=(("intent",), ("query",)),
        map_to="search answers what is known; capabilities are not registered yet",
    ),
    _reserved(
        "read",
        "Read one record as a node, a list, or a pack that fits a budget.",
        mutates=False,
        permission=Permission.VIEW,
        needs=(("node_id",), ("query",), ("intent",), ("budget_tokens",)),
        map_to="GET /v1/records/{id} reads one record; search lists",
    ),
    _reserved(
        "write",
        "Write through the gates.",
        mutates=True,
        permission=Permission.WRITE,
        needs=(("content",),),
        map_to="remember stores after redaction; no other gate is built",
    ),
    _reserved(
        "supersede",
        "Put a new record in the place of an old one.",
        mutates=True,
        permission=Permission.WRITE,
        needs=(("node_id", "superseded_by"), ("node_id", "content")),
        map_to="remember with the same fact_key adds a version; forget removes the surplus one",
    ),
)

VERBS: Mapping[str, Verb] = MappingProxyType({verb.name: verb for verb in _DECLARED})
LIVE: Mapping[str, Verb] = MappingProxyType({n: v for n, v in VERBS.items() if v.status is VerbStatus.LIVE})


def shape_of(verb: str, form: str) -> Shape:
    """Return a declared shape; an undeclared verb or form raises KeyError, never an empty shell."""
    return VERBS[verb].shapes[form]
