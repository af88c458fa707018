"""Proposals, policies and capabilities over REST, from outside."""

from typing import Any

import pytest
from django.test import Client

from orgs.tenancy import acting_for
from tests.cast import Cast, Person
from tests.memory.api.calling import get, post, told
from tests.memory.review.proposing import make_policy

SECRET = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
RULE = {"matches": "quokka", "then": "DEFER", "because": "Ask the keeper."}
JSON = {"content_type": "application/json"}


@pytest.fixture
def reviewed(cast: Cast, now: Any) -> Cast:
    make_policy(cast.project, now=now, mode="review")
    return cast


def signed_in(person: Person) -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(person.user)
    return client


def held(person: Person, content: str = "quokka", **fields: Any) -> str:
    answer = post(person, "/v1/write", {"content": content, **fields})
    assert (answer.status_code, answer.json()["moved_to"]) == (200, "review_queue")
    return str(answer.json()["pid"])


def test_a_held_write_is_found_where_its_hint_says_and_accepted_there(reviewed: Cast) -> None:
    hint = post(reviewed.ada, "/v1/write", {"content": "quokka"}).json()["hint"]
    address = hint.split()[-1].rstrip(".")
    shown = get(reviewed.ada, address)
    assert (shown.status_code, shown.json()["state"], shown.json()["inputs"]) == (200, "pending", {"content": "quokka"})
    accepted = post(reviewed.cy, f"{address}/accept", {}, Idempotency_Key="k")
    again = post(reviewed.cy, f"{address}/accept", {}, Idempotency_Key="k")
    assert (accepted.status_code, accepted.json()["committed"], again.json()) == (200, True, accepted.json())
    assert (accepted.headers.get("Idempotency-Replayed"), again.headers["Idempotency-Replayed"]) == (None, "true")
    assert get(reviewed.ada, f"/v1/records/{accepted.json()['id']}").json()["author"] == str(reviewed.ada.user.id)


def test_a_decision_taken_otherwise_is_a_problem_that_names_the_state(reviewed: Cast) -> None:
    pid = held(reviewed.ada)
    assert post(reviewed.cy, f"/v1/proposals/{pid}/accept", {}).status_code == 200
    clash = post(reviewed.ben, f"/v1/proposals/{pid}/reject", {"reason": "no"})
    assert (told(clash), clash.json()["state"]) == ((409, "clash", None), "accepted")


def test_what_can_not_become_a_record_is_a_problem_that_names_all_that_is_missing(reviewed: Cast) -> None:
    pid, missing = held(reviewed.ada), ["0199d1c4-7e1f-7c3a-9a4c-2e5d8b7f1a60", "0199d1c4-7e1f-7c3a-9a4c-2e5d8b7f1a61"]
    refused = post(reviewed.cy, f"/v1/proposals/{pid}/accept", {"depends_on": missing})
    assert told(refused) == (422, "unprocessable", None)
    assert (refused.json()["error"], refused.json()["missing"]) == ("E050", missing)


@pytest.mark.parametrize("pid", ["not-a-uuid", "12", "%00", "0199d1c4-7e1f-7c3a-9a4c-2e5d8b7f1a60", "a" * 300])
def test_fc26_what_is_no_proposal_answers_alike_everywhere(reviewed: Cast, pid: str) -> None:
    hidden = held(reviewed.ada, visibility="author")
    for act, body in (("accept", {}), ("merge", {"into": hidden}), ("reject", {"reason": "no"})):
        answers = [post(reviewed.ben, f"/v1/proposals/{one}/{act}", body) for one in (pid, hidden)]
        assert [told(answer) for answer in answers] == [(404, "unknown", None)] * 2
        assert answers[0].json()["detail"] == answers[1].json()["detail"]
    assert [told(get(reviewed.ben, f"/v1/proposals/{one}")) for one in (pid, hidden)] == [(404, "unknown", None)] * 2


@pytest.mark.parametrize(
    ("act", "body", "field"),
    [
        ("accept", {"contents": "x"}, "contents"),
        ("accept", {"content": ""}, "content"),
        ("accept", {"visibility": "organization"}, "visibility"),
        ("accept", {"author": "x"}, "author"),
        ("accept", {"supersede": "no"}, "supersede"),
        ("accept", [], "body"),
        ("merge", {}, "into"),
        ("merge", {"into": "x"}, "into"),
        ("reject", {}, "reason"),
        ("reject", {"reason": " "}, "reason"),
        ("reject", {"reason": "x" * 1_001}, "reason"),
    ],
)
def test_a_decision_is_taken_strictly(reviewed: Cast, act: str, body: Any, field: str) -> None:
    pid = held(reviewed.ada)
    assert told(post(reviewed.cy, f"/v1/proposals/{pid}/{act}", body)) == (400, "invalid", field)
    assert told(post(reviewed.cy, f"/v1/proposals/{pid}/{act}?force=1", {"reason": "x"})) == (400, "invalid", "query")
    assert get(reviewed.cy, f"/v1/proposals/{pid}").json()["state"] == "pending"


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("stat=pending", "stat"),
        ("state=open", "state"),
        ("limit=0", "limit"),
        ("limit=many", "limit"),
        ("limit=101", "limit"),
        ("limit=1&limit=2", "limit"),
        ("cursor=x", "cursor"),
    ],
)
def test_a_list_is_asked_for_strictly(reviewed: Cast, query: str, field: str) -> None:
    assert told(get(reviewed.cy, f"/v1/proposals?{query}")) == (400, "invalid", field)


def test_a_list_of_proposals_comes_in_pages_and_by_state(reviewed: Cast) -> None:
    pids = [held(reviewed.ada, f"quokka {number}") for number in range(5)]
    post(reviewed.cy, f"/v1/proposals/{pids[0]}/reject", {"reason": "no"})
    shown, cursor = [], ""
    while cursor is not None:
        page = get(reviewed.cy, f"/v1/proposals?state=pending&limit=3{cursor and '&cursor=' + cursor}").json()
        shown += [proposal["pid"] for proposal in page["results"]]
        cursor = page["meta"]["next_cursor"]
    assert shown == pids[:0:-1]
    assert [p["pid"] for p in get(reviewed.cy, "/v1/proposals?state=rejected").json()["results"]] == [pids[0]]
    assert [p["pid"] for p in get(reviewed.cy, "/v1/proposals?project=apollo&limit=1").json()["results"]] == [pids[-1]]
    assert told(get(reviewed.cy, "/v1/proposals?project=gemini"))[:2] == (404, "unknown")


def test_fc09_a_secret_in_a_decision_is_said_nowhere(reviewed: Cast) -> None:
    first, second = held(reviewed.ada, "one"), held(reviewed.ada, f"two {SECRET}")
    post(reviewed.cy, f"/v1/proposals/{first}/reject", {"reason": f"leaks {SECRET}"})
    accepted = post(reviewed.cy, f"/v1/proposals/{second}/accept", {"content": f"now {SECRET}"})
    shown = get(reviewed.cy, "/v1/proposals").content.decode() + accepted.content.decode()
    assert (SECRET in shown, sum(accepted.json()["redactions"].values())) == (False, 1)


# --- policies and capabilities -------------------------------------------------------------------


def test_an_owner_sets_tries_and_reads_a_policy_of_a_named_project(cast: Cast) -> None:
    oz = signed_in(cast.oz)
    assert told(oz.get("/v1/policy")) == (404, "unknown", "project")
    assert oz.get("/v1/policy?project=apollo").json()["mode"] == "open"
    post(cast.ada, "/v1/remember", {"content": "quokka"})
    tried = oz.post("/v1/policy/dry-run?project=apollo", {"rules": [RULE]}, **JSON)
    assert (tried.status_code, tried.json()["held"], oz.get("/v1/policy?project=apollo").json()["rules"]) == (
        200,
        1,
        [],
    )
    put = oz.put("/v1/policy?project=apollo", {"mode": "review", "rules": [RULE]}, **JSON)
    assert (put.status_code, put.json()) == (200, oz.get("/v1/policy?project=apollo").json())
    assert told(oz.put("/v1/policy?project=apollo", {"mode": "x"}, **JSON)) == (400, "invalid", "mode")
    assert told(oz.put("/v1/policy?project=gemini&x=1", {}, **JSON)) == (400, "invalid", "x")
    assert told(get(cast.ada, "/v1/policy")) == (403, "forbidden", None)


def test_an_owner_registers_and_withdraws_what_keys_then_list(cast: Cast) -> None:
    oz = signed_in(cast.oz)
    capability = {"name": "deploy.staging", "description": "Puts it on staging.", "when": "Before a review."}
    statuses = [oz.post("/v1/capabilities?project=apollo", capability, **JSON).status_code for _ in range(2)]
    assert statuses == [201, 200]
    (listed,) = get(cast.ada, "/v1/capabilities").json()["results"]
    assert {name: listed[name] for name in capability} == capability
    assert told(post(cast.ada, "/v1/capabilities", capability)) == (403, "forbidden", None)
    assert oz.delete("/v1/capabilities/deploy.staging?project=apollo").json() == {"ok": True, "name": "deploy.staging"}
    assert told(oz.delete("/v1/capabilities/deploy.staging?project=apollo")) == (404, "unknown", "name")
    assert get(cast.ada, "/v1/capabilities").json()["results"] == []


def test_who_lost_the_right_to_decide_is_not_told_an_earlier_answer(reviewed: Cast) -> None:
    pid, cy = held(reviewed.ada), reviewed.cy
    assert post(cy, f"/v1/proposals/{pid}/accept", {}, Idempotency_Key="k").status_code == 200
    with acting_for(reviewed.organization.id):
        cy.key.actions = ["read", "write"]
        cy.key.save(update_fields=["actions"])
    assert told(post(cy, f"/v1/proposals/{pid}/accept", {}, Idempotency_Key="k")) == (403, "forbidden", None)


def test_the_same_key_for_another_proposal_or_decision_is_refused(reviewed: Cast) -> None:
    first, second = held(reviewed.ada, "one"), held(reviewed.ada, "two")
    assert post(reviewed.cy, f"/v1/proposals/{first}/reject", {"reason": "no"}, Idempotency_Key="k").status_code == 200
    for pid, act, body in ((second, "reject", {"reason": "no"}), (first, "accept", {})):
        refused = post(reviewed.cy, f"/v1/proposals/{pid}/{act}", body, Idempotency_Key="k")
        assert told(refused) == (422, "unprocessable", "Idempotency-Key")


def test_the_document_describes_every_operation(client: Client) -> None:
    paths = client.get("/v1/openapi.json").json()["paths"]
    described = {address: set(methods) for address, methods in paths.items()}
    assert described["/v1/proposals"] == {"get"}
    assert described["/v1/policy"] == {"get", "put"}
    assert described["/v1/capabilities"] == {"get", "post"}
    assert {f"/v1/proposals/{{pid}}/{act}" for act in ("accept", "merge", "reject")} <= described.keys()
    named = {p["name"]: p["schema"] for p in paths["/v1/proposals"]["get"]["parameters"]}
    assert named["state"]["enum"] == ["pending", "accepted", "merged", "rejected"]
