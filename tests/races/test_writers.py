"""Many callers at the same moment, over HTTP and in several processes: what must happen once happens once."""

import json
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event
from typing import Any
from uuid import UUID

import pytest
from django.utils import timezone

from memory.models import Errand, Record, WritePolicy
from memory.models.proposal import Proposal
from orgs.models import AuditEvent, Organization, Workspace
from orgs.operations.api_keys import revoke_key
from orgs.queries import audit_chain_of
from orgs.tenancy import acting_for

FACT = "deploy.staging.method"


def at_the_same_moment(*acts: Callable[[], Any]) -> list[tuple[int, dict[str, Any]]]:
    """Make each call in a thread of its own, all at once; return status and body of each."""
    start = Barrier(len(acts))

    def run(act):
        start.wait(timeout=60)
        answered = act()
        return answered.status, answered.json()

    with ThreadPoolExecutor(len(acts)) as threads:
        return [task.result(timeout=120) for task in [threads.submit(run, act) for act in acts]]


def statuses(answers):
    return Counter(status for status, _ in answers)


@pytest.fixture
def ada(committed_cast):
    return committed_cast.ada


@pytest.fixture
def remember(service, ada):
    def write(content="x", **fields):
        answered = service.call(ada, "remember", {"content": content, **fields})
        assert answered.status == 201, answered.data
        return answered.json()["id"]

    return write


def rows(cast, model, **conditions):
    with acting_for(cast.organization.id):
        return list(model.objects.filter(organization_id=cast.organization.id, **conditions))


def test_fc29_twenty_writers_of_one_fact_lose_nothing_and_all_show_the_conflict(service, committed_cast, ada):
    contents = ["через systemd-юнит", "через compose"] * 10
    acts = [lambda c=c: service.call(ada, "remember", {"content": c, "fact_key": FACT}) for c in contents]
    answers = at_the_same_moment(*acts)
    assert statuses(answers) == {201: 20}
    ids = {body["id"] for _, body in answers}
    checked = service.call(ada, "validate_memory", {"fact_key": FACT}).json()
    assert ({record["id"] for record in checked["records"]}, set(checked["conflict_ids"])) == (ids, ids)
    newest = service.call(ada, "search", {"query": "systemd compose", "fact_key": FACT, "limit": 50}).json()["results"]
    assert Counter(record["newest_version_id"] is None for record in newest) == {True: 1, False: 19}
    assert len(rows(committed_cast, Errand, record__in=ids, kind="review")) == 20


def test_fc29_ten_successors_of_one_record_at_once_leave_one(service, ada, remember):
    old = remember("window at nine", fact_key="deploy.window")
    acts = [lambda n=n: service.call(ada, "supersede", {"node_id": old, "content": f"window {n}"}) for n in range(10)]
    answers = at_the_same_moment(*acts)
    assert statuses(answers) == {200: 1, 409: 9}
    assert {body["error"] for status, body in answers if status == 409} == {"already_superseded"}
    live = service.call(ada, "search", {"query": "window", "fact_key": "deploy.window"}).json()["results"]
    assert [record["id"] for record in live] == [body["superseded_by"] for status, body in answers if status == 200]


def test_fc29_two_records_that_supersede_each_other_at_once_close_no_circle(service, ada, remember):
    for _ in range(5):
        a, b = remember("a"), remember("b")
        answers = at_the_same_moment(
            lambda a=a, b=b: service.call(ada, "supersede", {"node_id": a, "superseded_by": b}),
            lambda a=a, b=b: service.call(ada, "supersede", {"node_id": b, "superseded_by": a}),
        )
        assert statuses(answers) == {200: 1, 409: 1}
    itself = service.call(ada, "supersede", {"node_id": a, "superseded_by": a})
    assert itself.status in (404, 409)


def test_a_ring_of_three_is_closed_by_nobody(service, ada, remember):
    ids = [remember(name) for name in "abc"]
    pairs = zip(ids, [*ids[1:], ids[0]], strict=True)
    acts = [lambda a=a, b=b: service.call(ada, "supersede", {"node_id": a, "superseded_by": b}) for a, b in pairs]
    assert statuses(at_the_same_moment(*acts)) == {200: 2, 409: 1}


def test_ten_who_forget_one_record_at_once_forget_it_once(service, committed_cast, ada, remember):
    id = remember()
    answers = at_the_same_moment(*[lambda: service.call(ada, "forget", {"memory_id": id})] * 10)
    assert Counter(body["ok"] for _, body in answers) == {True: 1, False: 9}
    assert len(rows(committed_cast, AuditEvent, verb="forget", object_id=id)) == 1


def test_forgetting_and_restoring_at_once_ends_in_one_of_both_and_every_act_is_told(
    service, committed_cast, ada, remember
):
    id = remember()
    forget = lambda: service.call(ada, "forget", {"memory_id": id})  # noqa: E731
    restore = lambda: service.call(ada, "forget", {"memory_id": id, "action": "restore"})  # noqa: E731
    answers = at_the_same_moment(*[forget, restore] * 6)
    done = [
        Counter(body["ok"] for _, body in answers[place::2])[True]
        for place in (0, 1)  # forgotten, restored
    ]
    live = service.ask("GET", f"/v1/records/{id}", headers=ada.headers).status == 200
    assert done[0] - done[1] == (0 if live else 1)
    told = [len(rows(committed_cast, AuditEvent, verb=verb, object_id=id)) for verb in ("forget", "restore")]
    assert (told, set(statuses(answers)) <= {200, 404, 409}) == (done, True)


def test_forgetting_a_source_in_pieces_at_once_counts_each_record_once(service, ada, remember):
    for n in range(12):
        remember(f"fact {n}", source_id="docs/a.md")
    answers = at_the_same_moment(*[lambda: service.call(ada, "forget", {"source_id": "docs/a.md"})] * 6)
    assert (statuses(answers), sum(body["count"] for _, body in answers)) == ({200: 6}, 12)


def test_a_first_write_by_many_makes_one_workspace(service, committed_cast, ada):
    acts = [
        lambda n=n: service.call(ada, "remember", {"content": f"fact {n}", "workspace": "First"}) for n in range(16)
    ]
    answers = at_the_same_moment(*acts)
    assert statuses(answers) == {201: 16}
    (workspace,) = rows(committed_cast, Workspace, name="first")
    assert len(rows(committed_cast, Record, workspace=workspace)) == 16


@pytest.mark.parametrize(
    ("verb", "body"), [("remember", {"content": "once"}), ("write", {"content": "once", "fact_key": "once"})]
)
def test_fc60_the_same_call_ten_times_at_once_has_one_effect_and_equal_answers(
    service, committed_cast, ada, verb, body
):
    answers = at_the_same_moment(*[lambda: service.call(ada, verb, body, **{"Idempotency-Key": "k"})] * 10)
    assert (statuses(answers), len({json.dumps(told, sort_keys=True) for _, told in answers})) == ({201: 10}, 1)
    assert len(rows(committed_cast, Record, content="once")) == 1
    assert len(rows(committed_cast, AuditEvent, verb=verb)) == 1


def test_fc60_one_key_with_ten_bodies_at_once_has_one_effect(service, committed_cast, ada):
    acts = [
        lambda n=n: service.call(ada, "remember", {"content": f"body {n}"}, **{"Idempotency-Key": "k"})
        for n in range(10)
    ]
    assert statuses(at_the_same_moment(*acts)) == {201: 1, 422: 9}
    assert len(rows(committed_cast, Record)) == 1


def test_fc60_forgetting_with_one_key_ten_times_at_once_is_told_as_done_to_all(service, committed_cast, ada, remember):
    id = remember()
    acts = [lambda: service.call(ada, "forget", {"memory_id": id}, **{"Idempotency-Key": "k"})] * 10
    answers = at_the_same_moment(*acts)
    assert (statuses(answers), len({json.dumps(told, sort_keys=True) for _, told in answers})) == ({200: 10}, 1)


def test_the_same_proposal_ten_times_at_once_waits_once(service, committed_cast, ada, now):
    with acting_for(committed_cast.organization.id):
        WritePolicy.objects.create(
            organization_id=committed_cast.organization.id,
            project_id=committed_cast.project.id,
            mode="review",
            updated_at=now,
        )
    answers = at_the_same_moment(*[lambda: service.call(ada, "write", {"content": "held"})] * 10)
    assert (statuses(answers), {body["moved_to"] for _, body in answers}) == ({200: 10}, {"review_queue"})
    assert len({body["pid"] for _, body in answers}) == len(rows(committed_cast, Proposal)) == 1


def test_fc52_a_key_that_is_revoked_while_calls_run_is_good_for_no_call_after(service, committed_cast, ada):
    revoked, late = Event(), []

    def call_on():
        seen = []
        while len(seen) < 200:
            was_revoked = revoked.is_set()
            status = service.call(ada, "remember", {"content": "x"}).status
            seen.append(status)
            if was_revoked:
                late.append(status)
            if status == 401:
                return seen
        return seen

    with ThreadPoolExecutor(6) as threads:
        running = [threads.submit(call_on) for _ in range(6)]
        while len(rows(committed_cast, Record)) < 12:
            pass
        revoke_key(committed_cast.oz.signed_in(now=timezone.now()), ada.key.id, now=timezone.now())
        revoked.set()
        seen = [task.result(timeout=120) for task in running]
    assert {tuple(sorted(set(statuses))) for statuses in seen} <= {(201, 401), (401,)}
    assert set(late) <= {401}
    assert len(rows(committed_cast, Record)) == sum(statuses.count(201) for statuses in seen)


def test_two_organizations_that_hammer_at_once_never_see_each_other(service, committed_cast, ada):
    eve = committed_cast.eve
    people = {"quokka": ada, "wombat": eve}

    def hammer(name):
        person, wrong = people[name], []
        for n in range(25):
            kept = service.call(person, "remember", {"content": f"shared words, {name} {n}", "fact_key": FACT})
            found = service.call(person, "search", {"query": "shared words quokka wombat", "limit": 50})
            checked = service.call(person, "validate_memory", {"fact_key": FACT})
            told = [kept, found, checked]
            other = next(iter(set(people) - {name}))
            wrong += [answer.data for answer in told if answer.status >= 300 or other in answer.data.decode()]
            mine = {record["project"] for record in found.json()["results"]}
            wrong += [mine] if mine != {str(person.project.id)} else []
        return wrong

    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(hammer, ["quokka", "wombat"] * 2)) == [[], [], [], []]
    chains = [
        audit_chain_of(organization.id) for organization in (committed_cast.organization, committed_cast.elsewhere)
    ]
    assert [chain.broken_at for chain in chains] == [None, None]


def test_a_summary_and_the_end_of_its_source_at_once_leave_no_dangling_truth(service, ada, remember):
    for _ in range(5):
        source = remember("source")
        answers = at_the_same_moment(
            lambda source=source: service.call(ada, "remember", {"content": "summary", "derived_from": [source]}),
            lambda source=source: service.call(ada, "forget", {"memory_id": source}),
        )
        assert answers[1][0] == 200
        if answers[0][0] == 201:
            shown = service.ask("GET", f"/v1/records/{UUID(answers[0][1]['id'])}", headers=ada.headers).json()
            assert (shown["status"], shown["derived_from"]) == ("stale", [])
        else:
            assert answers[0][0] == 422


# --- a quota -------------------------------------------------------------------------------------


def test_writers_at_the_same_moment_keep_exactly_as_many_records_as_they_may(service, committed_cast):
    with acting_for(committed_cast.organization.id):
        Organization.objects.filter(id=committed_cast.organization.id).update(greatest_records=5)
    people = [committed_cast.ada, committed_cast.ben, committed_cast.cy] * 4
    answers = at_the_same_moment(
        *(lambda p=p, n=n: service.call(p, "remember", {"content": f"fact {n}"}) for n, p in enumerate(people))
    )
    assert statuses(answers) == {201: 5, 429: 7}
    assert len(rows(committed_cast, Record)) == 5
