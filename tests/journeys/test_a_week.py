"""What a team and its agents do with the memory in a week, over HTTP from the first word to the last."""

import json

TOKEN = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
OLD, NEW = "sha256:" + "1f" * 32, "sha256:" + "2e" * 32
KEY = "deploy.staging.method"


def test_a_fact_is_written_found_doubted_contradicted_settled_forgotten_and_brought_back(service, committed_cast):
    ada, ben, eve = committed_cast.ada, committed_cast.ben, committed_cast.eve

    def call(person, verb, status=200, **body):
        answered = service.call(person, verb, body)
        assert answered.status == status, (verb, body, answered.data)
        return answered.json()

    def status_of(person, id):
        return json.loads(service.ask("GET", f"/v1/records/{id}", headers=person.headers).data)["status"]

    # Monday: an agent reads the document and saves what it says, with a key that somebody left in it.
    told = f"Staging is deployed by a systemd unit; the token is {TOKEN}"
    source = {"source": "agent", "source_id": "docs/deploy.md", "source_hash": OLD, "fact_key": KEY}
    first = call(ada, "remember", 201, content=told, **source)
    assert (TOKEN in json.dumps(first), first["redactions"], first["status"]) == (
        False,
        {"github-token": 1},
        "unverified",
    )

    # Tuesday: a colleague finds it; somebody in another organization does not.
    assert [r["id"] for r in call(ben, "search", query="how is staging deployed?")["results"]] == [first["id"]]
    assert call(eve, "search", query="how is staging deployed?")["results"] == []
    assert call(eve, "read", node_id=first["id"]) is None

    # Wednesday: the document has changed, and whoever asks with its new hash is told.
    checked = call(ben, "validate_memory", source_id="docs/deploy.md", current_source_hash=NEW)
    assert (checked["stale_ids"], checked["conflict_ids"]) == ([first["id"]], [])

    # Thursday: the colleague's agent saves the new version; the two contradict each other until a person decides.
    summary = call(ada, "remember", 201, content="Week 9: staging by systemd", derived_from=[first["id"]])
    second = call(ben, "remember", 201, content="Staging is deployed by compose", **{**source, "source_hash": NEW})
    assert [status_of(ada, id) for id in (first["id"], second["id"], summary["id"])] == ["conflict"] * 3
    node = call(ada, "read", node_id=second["id"])
    assert (node["verification_state"], "compose" in node["content"]) == ("conflict", True)

    # Friday: the person decides; the old version stays readable and says what took its place.
    call(ada, "supersede", node_id=first["id"], superseded_by=second["id"])
    assert [status_of(ben, id) for id in (first["id"], second["id"], summary["id"])] == ["stale", "unverified", "stale"]
    assert [r["id"] for r in call(ben, "search", query="staging deployed", fact_key=KEY)["results"]] == [second["id"]]

    # Saturday: the summary goes, and comes back when it is missed.
    assert call(ada, "forget", memory_id=summary["id"], reason="out of date")["tombstone"]["reason"] == "out of date"
    assert call(ada, "read", node_id=summary["id"]) is None
    restored = service.ask("POST", f"/v1/records/{summary['id']}/restore", headers=ada.headers)
    assert (restored.status, status_of(ben, summary["id"])) == (200, "stale")

    # Sunday: a new agent asks for everything that fits into its head.
    pack = call(ben, "read", query="staging", budget_tokens=60)
    assert (pack["tokens_used"] <= 60, second["id"] in [piece["id"] for piece in pack["pack"]]) == (True, True)
    assert TOKEN not in service.log
