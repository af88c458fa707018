"""Every address of the service, tried by everybody with records that lie behind every boundary.

The addresses come from the URL registry: one that is added and not described here fails the first test.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import uuid4

import pytest
from django.db.models import F
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from memory.models import Record, Succession
from orgs.roles import Visibility
from orgs.tenancy import acting_for
from tests.cast import Cast, Person
from tests.memory.test_visibility import SEES
from tests.memory.writing import remember

OPEN = {"healthz", "readyz", "metrics", "openapi", "docs", "protocol", "mcp_metadata"}
"""Addresses that need no caller, because they show nothing of any organization."""


@dataclass(frozen=True)
class Attempt:
    """How an address could give a record away: a call, and whether its answer did.

    `to`: to whom it may, by visibility, if not to those who see the record, or who may change it if it `changes`.
    """

    call: Callable[[Client, Person, str], Any]
    betrays: Callable[[Any, str], bool]
    changes: bool = False
    on_forgotten: bool = False
    to: Mapping[str, set[str]] | None = None


def _post(path: str, body: Callable[[str], dict[str, Any]]) -> Callable[[Client, Person, str], Any]:
    def call(client: Client, person: Person, id: str) -> Any:
        sent = json.dumps(body(id))
        return client.post(path.format(id=id), sent, content_type="application/json", headers=person.headers)

    return call


def _tool(name: str, arguments: Callable[[str], dict[str, Any]]) -> Callable[[Client, Person, str], Any]:
    """Call a tool over MCP, and take what it says of it for the answer."""

    def call(client: Client, person: Person, id: str) -> Any:
        wanted = {"name": name, "arguments": arguments(id)}
        sent = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": wanted}
        response = client.post("/mcp", sent, content_type="application/json", headers=person.headers)
        told: dict[str, Any] = response.json()
        if "result" in told:
            told = json.loads(told["result"]["content"][0]["text"])
            response.content = json.dumps(told).encode()
            response.status_code = told.get("status", 200) if told and "code" in told else 200
        response.json = lambda: told
        return response

    return call


def _mentions(response: Any, id: str) -> bool:
    return id in response.content.decode()


def _ok(response: Any, _id: str) -> bool:
    return response.status_code < 300


def _known(response: Any, id: str) -> bool:
    return response.status_code < 300 and id in response.content.decode()


def _replaced_by(client: Client, person: Person, id: str) -> Any:
    """Try to put a record of one's own out of date in favour of this one."""
    own = _post("/v1/remember", lambda _: {"content": "mine"})(client, person, id)
    return _post("/v1/supersede", lambda _: {"node_id": own.json().get("id", id), "superseded_by": id})(
        client, person, id
    )


def _get(path: str) -> Callable[[Client, Person, str], Any]:
    return lambda client, person, id: client.get(path.format(id=id), headers=person.headers)


def _by_own_proposal(
    then: Callable[[str], Callable[[Client, Person, str], Any]], **fields: Any
) -> Callable[[Client, Person, str], Any]:
    """Make a proposal, by contradicting oneself, and go on with its pid."""

    def call(client: Client, person: Person, id: str) -> Any:
        _post("/v1/remember", lambda _: {"content": "mine", "fact_key": "own.fact"})(client, person, id)
        wanted = {"content": "not mine", "fact_key": "own.fact", "on_conflict": "defer", "visibility": "author"}
        held = _post("/v1/write", lambda _: {**wanted, **fields})(client, person, id)
        return then(held.json().get("pid", str(uuid4())))(client, person, id)

    return call


def _reinstated(_: Client, person: Person, id: str) -> Any:
    """Try, signed in, to undo that a record was superseded by one that everybody sees."""
    with acting_for(person.member.organization_id):
        for record in Record.objects.filter(id=id):
            old = Record.objects.get(id=id)
            record.id, record.visibility, record.content = uuid4(), "organization", "wombat"
            record.save(force_insert=True)
            place = {"organization_id": old.organization_id, "old": old, "new": record}
            Succession.objects.create(**place, at=record.created_at)
    return _signed_in(person).post(f"/v1/records/{id}/reinstate", "{}", content_type="application/json")


def _signed_in(person: Person) -> Client:
    browser = Client()
    browser.force_login(person.user)
    return browser


def _contradicted(then: Callable[[Client, Person, str], Any]) -> Callable[[Client, Person, str], Any]:
    """Contradict the record, if it is there, by one that everybody sees, and go on."""

    def call(client: Client, person: Person, id: str) -> Any:
        with acting_for(person.member.organization_id):
            for record in Record.objects.filter(id=id, forgotten_at=None):
                record.id, record.visibility, record.content_digest = uuid4(), "organization", "0" * 64
                record.content = "wombat"
                record.save(force_insert=True)
        return then(client, person, id)

    return call


def _contradicting_it(then: Callable[[str], Callable[[Client, Person, str], Any]]) -> Any:
    """Propose what contradicts the record, if that is seen, and go on with the proposal's pid."""
    return _by_own_proposal(then, fact_key="zoo.quokka")


OWN = {"content": "burrow quokka", "visibility": "author"}
NOBODY: Mapping[str, set[str]] = {visibility: set() for visibility in SEES}
IN_ITS_PROJECT = {visibility: names - {"dot"} for visibility, names in SEES.items()}


def _counting(path: str) -> Callable[[Client, Person, str], Any]:
    """Count before and after the record is hidden from everybody, and tell the two apart."""

    def call(client: Client, person: Person, id: str) -> Any:
        with_it = client.get(path, headers=person.headers)
        with acting_for(person.member.organization_id):
            Record.objects.filter(id=id).update(forgotten_at=F("created_at"))
        without_it = client.get(path, headers=person.headers)
        with acting_for(person.member.organization_id):
            Record.objects.filter(id=id).update(forgotten_at=None)
        with_it.json = lambda: {"differs": with_it.content != without_it.content}
        return with_it

    return call


def _more(response: Any, _id: str) -> bool:
    return response.status_code < 300 and response.json()["differs"]


def _taken_out(client: Client, person: Person, _id: str) -> Any:
    """Export, and have the stream read."""
    answer = client.get("/v1/export", headers=person.headers)
    if answer.status_code < 300:
        answer.content_read = b"".join(answer.streaming_content)
        answer.json = dict
    return answer


def _holds(response: Any, id: str) -> bool:
    return id.encode() in getattr(response, "content_read", b"")


def _brought_in(_: Client, person: Person, id: str) -> Any:
    """Try, signed in, to bring in a record of this id with another content, and so to learn that it is there."""
    header = {"type": "header", "format": "palimpsest-export", "version": 1, "project": "apollo", "counts": {}}
    header |= {"exported_at": "2026-01-01T00:00:00Z", "organization": id, "left_out": []}
    told = {"type": "record", "id": id, "project": "apollo", "workspace": "default", "scope": "shared", "tags": []}
    told |= {"content": "wombat", "source": "owner", "fact_key_by_archivist": False, "confidence": 0.5}
    told |= dict.fromkeys(("created_at", "updated_at", "observed_at"), "2026-01-01T00:00:00Z")
    told |= {"visibility": "author", "depends_on": [], "metadata": {}}
    body = f"{json.dumps(header)}\n{json.dumps(told)}\n"
    return _signed_in(person).post("/v1/import?project=apollo", body, content_type="application/x-ndjson")


BY_MANAGERS = {visibility: names & {"oz"} for visibility, names in SEES.items()}

ATTEMPTS: dict[str, list[Attempt]] = {
    "proposals": [
        Attempt(_contradicting_it(lambda _: _get("/v1/proposals")), _mentions, to=IN_ITS_PROJECT),
        Attempt(_get("/v1/proposals"), _mentions, to=NOBODY),
    ],
    "proposal": [
        Attempt(_contradicting_it(lambda pid: _get(f"/v1/proposals/{pid}")), _mentions, to=IN_ITS_PROJECT),
        Attempt(_get("/v1/proposals/{id}"), _ok, to=NOBODY),
    ],
    "proposal_accept": [
        Attempt(
            _by_own_proposal(lambda pid: _post(f"/v1/proposals/{pid}/accept", lambda id: {"depends_on": [id]})),
            _ok,
        ),
        Attempt(_post("/v1/proposals/{id}/accept", lambda _: {}), _ok, to=NOBODY),
    ],
    "proposal_merge": [
        Attempt(
            _by_own_proposal(lambda pid: _post(f"/v1/proposals/{pid}/merge", lambda id: {"into": id})),
            _known,
            to=IN_ITS_PROJECT,
        ),
        Attempt(_post("/v1/proposals/{id}/merge", lambda id: {"into": id}), _ok, to=NOBODY),
    ],
    "proposal_reject": [Attempt(_post("/v1/proposals/{id}/reject", lambda _: {"reason": "no"}), _ok, to=NOBODY)],
    "policy": [Attempt(_get("/v1/policy"), _ok, to=NOBODY)],
    "policy_dry_run": [
        Attempt(
            _post("/v1/policy/dry-run", lambda _: {"rules": [{"matches": "quokka", "then": "DEFER", "because": "b"}]}),
            _mentions,
            to=NOBODY,  # a key manages nothing; members: see test_governing
        )
    ],
    "capabilities": [Attempt(_get("/v1/capabilities"), _mentions, to=NOBODY)],
    "capability": [
        Attempt(
            lambda client, person, id: client.delete(f"/v1/capabilities/{id}", headers=person.headers),
            _ok,
            to=NOBODY,
        )
    ],
    "write": [
        Attempt(_post("/v1/write", lambda id: {"content": "x", "derived_from": [id]}), _ok),
        Attempt(
            _post("/v1/write", lambda _: {**OWN, "fact_key": "zoo.quokka", "on_conflict": "reject"}),
            _mentions,
            to=IN_ITS_PROJECT,
        ),
        Attempt(_post("/v1/write", lambda _: {**OWN, "gated": True}), _mentions, to=IN_ITS_PROJECT),
    ],
    "supersede": [
        Attempt(
            _post("/v1/supersede", lambda id: {"node_id": id, "content": "wombat"}),
            _ok,
            changes=True,
            to=IN_ITS_PROJECT | {"organization": IN_ITS_PROJECT["organization"] - {"kit"}},  # a contractor's reach
        ),
        Attempt(_replaced_by, _ok, changes=True),
    ],
    "read": [
        Attempt(_post("/v1/read", lambda id: {"node_id": id}), _known),
        Attempt(_post("/v1/read", lambda _: {"query": "quokka"}), _mentions),
        Attempt(_post("/v1/read", lambda _: {"budget_tokens": 500, "include_recent": True}), _mentions),
        Attempt(_post("/v1/read", lambda _: {"query": "quokka", "budget_tokens": 1}), _mentions),
        Attempt(_post("/v1/read", lambda _: {"query": "quokka", "validity": "all"}), _mentions),
    ],
    "route": [Attempt(_post("/v1/route", lambda _: {"intent": "quokka"}), _mentions)],
    "memory": [Attempt(_post("/v1/memory", lambda id: {"node_id": id}), _known)],
    "remember": [
        Attempt(_post("/v1/remember", lambda id: {"content": "x", "derived_from": [id]}), _ok),
        Attempt(_post("/v1/remember", lambda id: {"content": "x", "depends_on": [id]}), _ok),
    ],
    "search": [
        Attempt(_post("/v1/search", lambda _: {"query": "quokka"}), _mentions),
        Attempt(_post("/v1/search", lambda _: {"query": "quokka", "fact_key": "zoo.quokka"}), _mentions),
        Attempt(_post("/v1/search", lambda _: {"query": "quokka", "include_superseded": True}), _mentions),
    ],
    "validate_memory": [
        Attempt(_post("/v1/validate_memory", lambda id: {"ids": [id]}), _mentions),
        Attempt(_post("/v1/validate_memory", lambda _: {"source_id": "docs/zoo.md"}), _mentions),
        Attempt(_post("/v1/validate_memory", lambda _: {"fact_key": "zoo.quokka"}), _mentions),
    ],
    "forget": [
        Attempt(_post("/v1/forget", lambda id: {"memory_id": id}), _ok, changes=True),
        Attempt(
            _post("/v1/forget", lambda _: {"source_id": "docs/zoo.md"}),
            lambda response, _: response.status_code < 300 and response.json()["count"] > 0,
            changes=True,
        ),
        Attempt(
            _post("/v1/forget", lambda id: {"memory_id": id, "action": "restore"}), _ok, changes=True, on_forgotten=True
        ),
    ],
    "mcp": [
        Attempt(_tool("search", lambda _: {"query": "quokka"}), _mentions),
        Attempt(_tool("read", lambda id: {"node_id": id}), _known),
        Attempt(_tool("read", lambda _: {"query": "quokka"}), _mentions),
        Attempt(_tool("read", lambda _: {"budget_tokens": 500, "include_recent": True}), _mentions),
        Attempt(_tool("route", lambda _: {"intent": "quokka"}), _mentions),
        Attempt(_tool("validate_memory", lambda id: {"ids": [id]}), _mentions),
        Attempt(_tool("validate_memory", lambda _: {"source_id": "docs/zoo.md"}), _mentions),
        Attempt(_tool("memory", lambda id: {"node_id": id}), _known),
        Attempt(_tool("remember", lambda id: {"content": "x", "derived_from": [id]}), _ok),
        Attempt(_tool("forget", lambda id: {"memory_id": id}), _ok, changes=True),
    ],
    "record": [
        Attempt(_get("/v1/records/{id}"), _ok),
    ],
    "records": [
        Attempt(_get("/v1/records"), _mentions),
        Attempt(_get("/v1/records?fact_key=zoo.*&source_id=docs/zoo.md&include_superseded=true&limit=100"), _mentions),
        Attempt(_get("/v1/records?status=unverified"), _mentions),
    ],
    "versions": [Attempt(_get("/v1/records/{id}/versions"), _known)],
    "relations": [Attempt(_get("/v1/records/{id}/relations"), _ok)],
    "decisions": [Attempt(_get("/v1/records/{id}/decisions"), _ok)],
    "protect": [Attempt(_post("/v1/records/{id}/protect", lambda _: {}), _ok, changes=True)],
    "unprotect": [Attempt(_post("/v1/records/{id}/unprotect", lambda _: {}), _ok, changes=True)],
    "reinstate": [Attempt(_reinstated, _ok, changes=True, to=BY_MANAGERS)],
    "remember_batch": [
        Attempt(
            _post("/v1/remember/batch", lambda id: {"items": [{"content": "x", "derived_from": [id]}]}),
            lambda response, _: response.status_code < 300 and response.json()["committed"] == 1,
        )
    ],
    "conflicts": [Attempt(_contradicted(_get("/v1/conflicts")), _mentions)],
    "settle": [
        Attempt(
            _contradicted(_post("/v1/conflicts/settle", lambda id: {"fact_key": "zoo.quokka", "keep": id})),
            _ok,
            changes=True,
        )
    ],
    "export": [Attempt(_taken_out, _holds)],
    "import": [
        Attempt(
            _brought_in,
            lambda response, _: response.status_code < 300 and response.json()["differing"] == 1,
            to=BY_MANAGERS | {"organization": {"oz"}},
        )
    ],
    "workspaces": [Attempt(_counting("/v1/workspaces"), _more)],
    "stats": [Attempt(_counting("/v1/stats"), _more)],
    "restore": [Attempt(_post("/v1/records/{id}/restore", lambda _: {}), _ok, changes=True, on_forgotten=True)],
}
CHANGES = {visibility: names - {"dot"} for visibility, names in SEES.items()}
"""Who may change it: those who see it and hold a permission on its project."""


def machine_addresses() -> Iterator[str]:
    """Name every address that is not a page."""
    stack: list[tuple[str, Any]] = [("", get_resolver())]
    while stack:
        prefix, resolver = stack.pop()
        for pattern in resolver.url_patterns:
            if isinstance(pattern, URLResolver):
                stack.append((prefix + str(pattern.pattern), pattern))
            elif isinstance(pattern, URLPattern) and (prefix + str(pattern.pattern)).startswith(
                ("v1/", "mcp", ".well-known", "healthz", "readyz", "metrics")
            ):
                yield str(pattern.name)


def test_every_address_is_described_here() -> None:
    assert set(machine_addresses()) == set(ATTEMPTS) | OPEN


@pytest.fixture
def zoo(cast: Cast, now: datetime) -> dict[str, str]:
    """Keep one record of ada's per visibility."""
    ada = cast.ada.by_key(now=now)
    return {
        visibility: str(
            remember(
                *(ada, f"quokka burrow {visibility}"),
                now=now,
                visibility=visibility,
                fact_key="zoo.quokka",
                source_id="docs/zoo.md",
            ).id
        )
        for visibility in SEES
    }


@pytest.mark.parametrize("visibility", [v.value for v in Visibility])
@pytest.mark.parametrize(("name", "number"), [(n, i) for n, attempts in ATTEMPTS.items() for i in range(len(attempts))])
def test_an_address_gives_a_record_to_those_who_see_it_and_to_nobody_else(
    cast: Cast, client: Client, name: str, number: int, visibility: str, now: datetime
) -> None:
    attempt = ATTEMPTS[name][number]
    allowed = (attempt.to or (CHANGES if attempt.changes else SEES))[visibility]
    outcomes = {}
    id = str(_fresh(cast, visibility, now=now, forgotten=attempt.on_forgotten).id)
    for person_name, person in cast.everybody.items():
        outcomes[person_name] = attempt.betrays(attempt.call(client, person, id), id)
        if attempt.changes and outcomes[person_name]:
            _bury(cast)
            id = str(_fresh(cast, visibility, now=now, forgotten=attempt.on_forgotten).id)
    assert {person_name for person_name, seen in outcomes.items() if seen} == allowed


def _fresh(cast: Cast, visibility: str, *, now: datetime, forgotten: bool) -> Any:
    ada = cast.ada.by_key(now=now)
    record = remember(
        *(ada, f"quokka burrow {visibility}"),
        now=now,
        visibility=visibility,
        fact_key="zoo.quokka",
        source_id="docs/zoo.md",
    )
    if forgotten:
        with acting_for(ada.organization_id):
            Record.objects.filter(id=record.id).update(forgotten_at=now)
    return record


def _bury(cast: Cast) -> None:
    with acting_for(cast.organization.id):
        Record.objects.filter(organization=cast.organization).delete()


APART = {"request_id", "meta", "current_source_hash"}
"""What differs from one answer to the next, whatever is asked for."""

CHANGING_THE_NEXT_ANSWER = {("forget", 1), ("conflicts", 0)}
"""Forgetting by source changes what the next call finds, and so does contradicting a record so that all see it."""


@pytest.mark.parametrize(("name", "number"), [(n, i) for n, attempts in ATTEMPTS.items() for i in range(len(attempts))])
def test_fc26_hidden_foreign_forgotten_and_unknown_ids_answer_alike(
    cast: Cast, client: Client, zoo: dict[str, str], name: str, number: int, now: datetime
) -> None:
    attempt = ATTEMPTS[name][number]
    forgotten = str(_fresh(cast, "project", now=now, forgotten=True).id)
    foreign = str(remember(cast.eve.by_key(now=now), "wombat", now=now).id)
    ids = [str(uuid4()), zoo["author"], foreign, *([] if attempt.on_forgotten else [forgotten])]
    answers = []
    for id in ids:
        response = attempt.call(client, cast.ben, id)
        told = {k: v for k, v in (response.json() or {}).items() if k not in APART}
        answers.append((response.status_code, json.dumps(told).replace(id, "…")))
    if (name, number) not in CHANGING_THE_NEXT_ANSWER:
        assert answers == [answers[0]] * len(ids)


@pytest.mark.parametrize("id", ["not-a-uuid", "12", "99999999999999999999", "%00", "a" * 300])
def test_fc26_what_can_not_be_an_id_is_the_id_of_nothing(cast: Cast, client: Client, id: str) -> None:
    assert client.get(f"/v1/records/{id}", headers=cast.ada.headers).status_code == 404
    response = _post("/v1/forget", lambda _: {"memory_id": id})(client, cast.ada, id)
    assert (response.status_code, response.json()["field"]) == (400, "memory_id")
