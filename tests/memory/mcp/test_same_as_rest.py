"""Whatever is asked of a verb, both doors answer the same: one table over the same records, each call undone again."""

import json
import re
from uuid import uuid4

import pytest
from django.db import transaction

from memory.protocol.verbs import LIVE
from tests.memory.api.calling import post
from tests.memory.mcp.calling import message, tool

UNSEEN = str(uuid4())
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.\d]*(Z|\+00:00)")

CALLS = {
    "remember": [
        {"content": "the lighthouse is white"},
        {"content": "password: Qw7-long-pass-9", "metadata": {"token": "hunter2-very-secret"}, "tags": ["a", "b"]},
        {"content": "known", "fact_key": "Known.Fact", "source_id": "docs/a.md", "source_hash": "sha256:00"},
        {"content": "sum", "derived_from": ["{live}", "{other}"], "content_kind": "summary"},
        {"content": "sum", "content_kind": "summary"},
        {"content": "sum", "derived_from": [UNSEEN]},
        {"content": ""},
        {"content": "a\0b"},
        {"content": "x", "fact_key": "k\0"},
        {"content": "x", "confidence": 2},
        {"content": "x", "valid_until": "yesterday"},
        {"content": "x", "workspace": ""},
        {"content": "x", "workspace": None, "tags": None, "confidence": None},
        {"content": "x", "contnt": "y"},
        {"content": "x", "metadata": {"a": {"b": [1, None, "c"]}}},
        {},
    ],
    "search": [
        {"query": "quokka"},
        {"query": "quokka", "limit": 1, "explain": True},
        {"query": "quokka", "limit": 51},
        {"query": "quokka", "status": "conflict"},
        {"query": "quokka", "status": "verified"},
        {"query": "quokka", "workspace": "elsewhere"},
        {"query": "quokka", "current_source_hash": "sha256:11", "exclude_stale": True},
        {"query": "quokka", "cursor": "made up"},
        {"query": "%"},
        {"query": "a\0"},
        {"qury": "quokka"},
        {},
    ],
    "forget": [
        {"memory_id": "{live}"},
        {"id": "{live}", "reason": "wrong"},
        {"node_id": "{live}"},
        {"memory_id": "{gone}"},
        {"memory_id": "{gone}", "action": "restore"},
        {"memory_id": "{live}", "action": "restore"},
        {"memory_id": UNSEEN},
        {"memory_id": "{live}", "id": "{other}"},
        {"source_id": "docs/zoo.md"},
        {"source_id": "*"},
        {"source_id": "docs/none.md"},
        {"node_id": 7},
        {},
    ],
    "validate_memory": [
        {"ids": ["{live}", "{other}", "{gone}"]},
        {"source_id": "docs/zoo.md", "current_source_hash": "sha256:11"},
        {"current_source_hash": {"docs/zoo.md": "sha256:11"}},
        {"fact_key": "zoo.quokka", "workspace": "default"},
        {"ids": ["no id"]},
        {},
    ],
    "route": [{"intent": "feed the quokka"}, {"query": "quokka", "k": 1}, {"intent": "x", "k": 0}, {}],
    "read": [
        {"node_id": "{live}"},
        {"node_id": "{gone}"},
        {"node_id": UNSEEN},
        {"node_id": "no id"},
        {"node_id": 7},
        {"node_id": ["{live}"]},
        {"query": "quokka", "k": 1},
        {"intent": "quokka", "goal": "feeding", "context": "it is hungry"},
        {"budget_tokens": 200, "include_recent": True},
        {"query": "quokka", "budget_tokens": 1},
        {"query": "quokka", "validity": "as_of"},
        {"budget_tokens": -1},
        {},
    ],
    "write": [
        {"content": "the lighthouse is white"},
        {"content": "the quokka sleeps", "fact_key": "zoo.quokka", "on_conflict": "reject"},
        {"content": "the quokka sleeps", "fact_key": "zoo.quokka", "on_conflict": "defer"},
        {"content": "the quokka is hungry", "gated": True},
        {"content": "sum", "content_kind": "conclusion"},
        {"content": "x", "depends_on": [UNSEEN]},
        {"content": "x", "on_conflict": "maybe"},
        {},
    ],
    "supersede": [
        {"node_id": "{live}", "superseded_by": "{other}"},
        {"node_id": "{live}", "content": "the quokka is full"},
        {"node_id": "{live}", "superseded_by": "{live}"},
        {"node_id": "{live}", "superseded_by": UNSEEN},
        {"node_id": UNSEEN, "content": "x"},
        {"node_id": 7, "content": "x"},
        {"node_id": "{live}"},
        {},
    ],
    "memory": [
        {"query": "quokka"},
        {"content": "the lighthouse is white"},
        {"node_id": "{live}"},
        {"node_id": "{gone}"},
        {"intent": "quokka"},
        {"op": "search", "query": "quokka"},
        {"op": " SEARCH ", "query": "quokka"},
        {"op": "teleport"},
        {"op": 7},
        {},
    ],
}


@pytest.fixture
def zoo(cast):
    """Keep three records: two that contradict each other, and one that is forgotten."""
    known = {"fact_key": "zoo.quokka", "source_id": "docs/zoo.md", "source_hash": "sha256:00"}
    live = tool(cast.ada, "remember", content="the quokka is hungry", **known)["id"]
    other = tool(cast.ada, "remember", content="the quokka is full", **known)["id"]
    gone = tool(cast.ada, "remember", content="the quokka is gone", source_id="docs/gone.md")["id"]
    tool(cast.ada, "forget", memory_id=gone)
    return {"live": live, "other": other, "gone": gone}


def by_rest(person, verb, body):
    return post(person, f"/v1/{verb}", body).json()


def by_mcp(person, verb, body):
    result = post(person, "/mcp", message("tools/call", {"name": verb, "arguments": body})).json()["result"]
    return json.loads(result["content"][0]["text"])


def undone(door, person, verb, body, *, known):
    """Return what a door answers, in a form that two calls have in common; nothing of the call remains."""
    begun = transaction.savepoint()
    told = json.dumps(door(person, verb, body), sort_keys=True, ensure_ascii=False)
    transaction.savepoint_rollback(begun)
    told = re.sub(r'"(request_id|next_cursor)": "[^"]*"', r'"\1": "…"', _TIME.sub("<time>", told))
    new = {}
    return _ID.sub(lambda found: found[0] if found[0] in known else new.setdefault(found[0], f"<{len(new)}>"), told)


def test_every_verb_is_in_the_table():
    assert set(CALLS) == {*LIVE, "memory"}


@pytest.mark.parametrize(("verb", "number"), [(verb, n) for verb, calls in CALLS.items() for n in range(len(calls))])
def test_both_doors_answer_the_same(cast, zoo, verb, number):
    body = json.loads(re.sub(r"\{(live|other|gone)\}", lambda name: zoo[name[1]], json.dumps(CALLS[verb][number])))
    known = {*zoo.values(), str(cast.project.id), str(cast.ada.user.id), str(cast.team.id), UNSEEN}
    answers = [undone(door, cast.ada, verb, body, known=known) for door in (by_rest, by_mcp)]
    assert answers[0] == answers[1]


@pytest.mark.parametrize("name", ["ben", "cy", "dot", "eve", "hal", "kit", "ann", "oz"])
@pytest.mark.parametrize("verb", list(LIVE))
def test_both_doors_answer_the_same_to_everybody(cast, zoo, verb, name):
    body = json.loads(re.sub(r"\{(live|other|gone)\}", lambda name: zoo[name[1]], json.dumps(CALLS[verb][0])))
    person = cast.everybody[name]
    answers = [undone(door, person, verb, body, known=set(zoo.values())) for door in (by_rest, by_mcp)]
    assert answers[0] == answers[1]
