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
    for a live verb; `map_to`: how its job is done today, for a reserved one (there is none at present).
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


NODE_ID_NOT_STR = "node_id_not_str"
_BAD_NODE_ID = {NODE_ID_NOT_STR: Shape("node_id is no text", shapes.BadNodeId, 400)}
_GATES: Mapping[str, Shape] = {
    "gate_short_circuit": Shape("a gate stopped the write: held, or refused", shapes.ShortCircuit),
    "gate_hard_reject": Shape("the write breaks its contract", shapes.HardReject, 422),
    "gate_gated": Shape("gated is true: the forgetting gate decided", shapes.Gated),
}

_DECLARED = (
    _live(
        "remember",
        "Save one fact with where it came from. Adds a record; never rewrites or removes one.",
        mutates=True,
        permission=Permission.WRITE,
        needs=(("content",),),
        inputs=shapes.RememberInputs,
        shapes={"committed": Shape("the record is stored", shapes.RememberedRecord, 201), **_GATES},
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
        needs=(("node_id",), ("memory_id",), ("id",), ("source_id",)),
        inputs=shapes.ForgetInputs,
        shapes={
            "forgotten": Shape("one record was named and is live", shapes.Forgotten),
            "forgotten_source": Shape("source_id was given", shapes.ForgottenSource),
            "restored": Shape("action is restore", shapes.Restored),
            "failed": Shape("no such record here, or it is protected, or nothing to restore", shapes.Failed, 409),
            **_BAD_NODE_ID,
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
    _live(
        "route",
        "Say what is known and which capability to use; executes nothing.",
        mutates=False,
        permission=Permission.VIEW,
        needs=(("intent",), ("query",)),
        inputs=shapes.RouteInputs,
        shapes={"default": Shape("always", shapes.RouteAnswer)},
    ),
    _live(
        "read",
        "Read one record as a node, a list, or a pack that fits a budget of tokens.",
        mutates=False,
        permission=Permission.VIEW,
        needs=(("node_id",), ("query",), ("intent",), ("budget_tokens",)),
        inputs=shapes.ReadInputs,
        shapes={
            "node": Shape("node_id names a live record that the caller may see", shapes.Node),
            "node_missing": Shape("node_id names none: absent, hidden and forgotten are one", None),
            "list": Shape("no node_id and no budget_tokens", shapes.ListAnswer),
            "pack": Shape("budget_tokens is given", shapes.Pack),
            **_BAD_NODE_ID,
        },
    ),
    _live(
        "write",
        "Write through the gates: stored, held for a person, or refused, and always told which.",
        mutates=True,
        permission=Permission.WRITE,
        needs=(("content",),),
        inputs=shapes.WriteInputs,
        shapes={"committed": Shape("the record is stored", shapes.Committed, 201), **_GATES},
    ),
    _live(
        "supersede",
        "Put a record out of date, in favour of another one or of new content; both stay readable.",
        mutates=True,
        permission=Permission.WRITE,
        needs=(("node_id", "superseded_by"), ("node_id", "content")),
        inputs=shapes.SupersedeInputs,
        shapes={
            "superseded": Shape("the old record is out of date", shapes.Superseded),
            "failed": Shape("no such record here, or it was superseded already, or a cycle", shapes.Failed, 409),
            **_BAD_NODE_ID,
            **_GATES,
        },
    ),
)

VERBS: Mapping[str, Verb] = MappingProxyType({verb.name: verb for verb in _DECLARED})
LIVE: Mapping[str, Verb] = MappingProxyType({n: v for n, v in VERBS.items() if v.status is VerbStatus.LIVE})


def shape_of(verb: str, form: str) -> Shape:
    """Return a declared shape; an undeclared verb or form raises KeyError, never an empty shell."""
    return VERBS[verb].shapes[form]
