"""The forms in which verbs answer over REST: with the right status, and a "no" always as a problem."""

from uuid import uuid4

import pytest

from tests.memory.api.calling import post, told


@pytest.mark.parametrize(
    ("path", "body", "answer"),
    [
        ("/v1/write", {"content": "x", "content_kind": "summary"}, (422, "E051", None)),
        ("/v1/write", {"content": "x", "derived_from": [str(uuid4())]}, (422, "E050", None)),
        ("/v1/remember", {"content": "x", "depends_on": [str(uuid4())]}, (422, "E050", None)),
        ("/v1/read", {"node_id": 12}, (400, "node_id_not_str", None)),
        ("/v1/forget", {"node_id": ["x"]}, (400, "node_id_not_str", None)),
        ("/v1/supersede", {"node_id": {}, "content": "x"}, (400, "node_id_not_str", None)),
        ("/v1/memory", {"op": "read", "node_id": 1.5}, (400, "node_id_not_str", None)),
        ("/v1/supersede", {"node_id": str(uuid4()), "content": "x"}, (404, "unknown", None)),
        ("/v1/supersede", {"node_id": str(uuid4())}, (400, "invalid", "node_id")),
        ("/v1/forget", {"node_id": str(uuid4())}, (404, "unknown", None)),
        ("/v1/memory", {"op": "nothing"}, (404, "unknown", "op")),
        ("/v1/memory", {"op": 7}, (400, "invalid", "op")),
    ],
)
def test_a_no_is_a_problem_that_keeps_the_keys_of_its_form(cast, path, body, answer):
    refused = post(cast.ada, path, body)
    assert told(refused) == answer
    assert refused.json().get("ok", False) is False


@pytest.mark.parametrize("path", ["/v1/read", "/v1/memory"])
def test_an_absent_node_is_null_and_nothing_else(cast, path):
    gone = post(cast.ada, "/v1/remember", {"content": "x"}).json()["id"]
    hidden = post(cast.ben, "/v1/remember", {"content": "x", "visibility": "author"}).json()["id"]
    post(cast.ada, "/v1/forget", {"node_id": gone})
    answers = [post(cast.ada, path, {"node_id": id}) for id in (str(uuid4()), gone, hidden)]
    assert [(one.status_code, one["Content-Type"], one.content) for one in answers] == [
        (200, "application/json", b"null")
    ] * 3


def test_a_write_that_a_gate_holds_is_told_again_for_the_same_key(cast):
    body = {"content": "x", "gated": True}
    first, again = (post(cast.ada, "/v1/write", body, Idempotency_Key="k") for _ in range(2))
    assert (first.status_code, first.json()["committed"], again.json()) == (200, False, first.json())


def test_fc65_a_successor_keeps_the_place_and_the_topic_and_brings_its_own_proof(cast):
    fields = {"scope": "private", "workspace": "infra", "visibility": "author", "fact_key": "deploy.window"}
    proof = {"source_id": "docs/a.md", "source_hash": "sha256:" + "1f" * 32, "confidence": 0.9}
    old = post(cast.ada, "/v1/remember", {"content": "window at nine", **fields, **proof}).json()
    answered = post(cast.ada, "/v1/supersede", {"node_id": old["id"], "content": "window at ten"}).json()
    (new,) = post(cast.ada, "/v1/search", {"query": "window", "workspace": "infra"}).json()["results"]
    assert ({name: new[name] for name in fields}, new["id"]) == (fields, answered["superseded_by"])
    assert (new["source_id"], new["source_hash"], new["content"]) == (None, None, "window at ten")
    wider = post(cast.ada, "/v1/supersede", {"node_id": new["id"], "content": "x", "visibility": "project"})
    assert told(wider) == (400, "invalid", "visibility")


def test_fc65_when_the_new_version_fails_the_old_one_is_still_current(cast, monkeypatch):
    old = post(cast.ada, "/v1/remember", {"content": "window at nine"}).json()["id"]
    with monkeypatch.context() as broken:
        broken.setattr("memory.successions.note", lambda *_, **__: 1 / 0)
        assert post(cast.ada, "/v1/supersede", {"node_id": old, "content": "window at ten"}).status_code == 500
    results = post(cast.ada, "/v1/search", {"query": "window"}).json()["results"]
    assert [(r["id"], r["status"]) for r in results] == [(old, "unverified")]


def test_verbs_are_counted_by_how_they_ended_and_redactions_by_kind(cast):
    from prometheus_client import REGISTRY

    def counted():
        verbs = [("remember", "committed"), ("remember", "invalid"), ("remember", "replayed"), ("search", "list")]
        calls = [REGISTRY.get_sample_value("palimpsest_verbs_total", {"verb": v, "outcome": o}) or 0 for v, o in verbs]
        timed = REGISTRY.get_sample_value("palimpsest_verb_seconds_count", {"verb": "search"}) or 0
        kinds = REGISTRY.get_sample_value("palimpsest_redactions_total", {"kind": "github-token"}) or 0
        return [*calls, timed, kinds]

    before = counted()
    for body in ({"content": "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"}, {"content": "x"}, {"content": "x"}, {}):
        key = {"Idempotency_Key": "k"} if body == {"content": "x"} else {}
        post(cast.ada, "/v1/remember", body, **key)
    post(cast.ada, "/v1/search", {"query": "x"})
    assert [after - one for one, after in zip(before, counted(), strict=True)] == [2, 1, 1, 1, 1, 1]
