"""Searching over REST: a page is as full as it can be, and pages together hold each record once."""

from itertools import chain

import pytest
from django.conf import settings

from memory.models import Embedding, Record
from memory.protocol.parsing import parse
from memory.protocol.shapes import SearchInputs
from memory.search.retrieve import Asked, retrieve
from memory.search.words import question
from orgs.tenancy import acting_for
from tests.memory.api.calling import post, told
from tests.memory.writing import remember


def search(person, **body):
    answered = post(person, "/v1/search", body)
    assert answered.status_code == 200, answered.content
    return answered.json()


def notes(cast, person, number, now, **fields):
    caller = person.by_key(now=now)
    return [remember(caller, f"заметка о выкатке {n:02}", now=now, **fields).id for n in range(number)]


def hide(cast, ids, **changes):
    with acting_for(cast.organization.id):
        Record.objects.filter(id__in=ids).update(**changes)


@pytest.mark.parametrize(
    ("crowd", "filters"),
    [
        ({"session": "gone"}, {}),
        ({"visibility": "author"}, {}),
        ({"workspace": "other"}, {"workspace": "default"}),
        ({"scope": "private"}, {"scope": "shared"}),
        ({"confidence": 0.1}, {"min_confidence": 0.4}),
        ({"valid_until": "2020-01-01T00:00:00Z"}, {"exclude_stale": True}),
        ({"valid_until": "2020-01-01T00:00:00Z"}, {"status": "unverified"}),
    ],
)
def test_fc31_what_a_reader_may_not_see_or_does_not_ask_for_takes_nobodys_place(cast, now, crowd, filters):
    others = notes(cast, cast.ben, 55, now, **crowd)
    mine = [str(remember(cast.ada.by_key(now=now), f"выкатка, заметка {n}", now=now).id) for n in range(5)]
    if "session" in crowd:
        hide(cast, others, forgotten_at=now)
    page = search(cast.ada, query="заметка о выкатке", limit=5, **filters)
    assert ({r["id"] for r in page["results"]}, page["meta"]["next_cursor"]) == (set(mine), None)


def test_fc31_vectors_of_another_project_take_nobodys_place(cast, now):
    model, near, far = settings.EMBEDDINGS_MODEL, [1.0, 0.0], [0.8, 0.6]
    size = settings.EMBEDDINGS_DIMENSIONS
    dot, ada = cast.dot.by_key(now=now), cast.ada.by_key(now=now)
    theirs = [remember(dot, f"identical {n}", now=now) for n in range(120)]
    mine = [remember(ada, f"related {n}", now=now) for n in range(10)]
    with acting_for(cast.organization.id):
        Embedding.objects.bulk_create(
            Embedding(
                record_id=record.id,
                organization=cast.organization,
                project_id=record.project,
                model=model,
                vector=vector + [0.0] * (size - 2),
            )
            for records, vector in ((theirs, near), (mine, far))
            for record in records
        )
    asked = Asked("quokka", question("quokka"), near + [0.0] * (size - 2))
    with acting_for(cast.organization.id):
        found = retrieve(ada, asked, parse(SearchInputs, {"query": "quokka"}), most=40)
    assert {hit.id for hit in found.hits} == {record.id for record in mine}


@pytest.fixture
def walk(cast, now):
    ids = [str(id) for id in notes(cast, cast.ada, 45, now)]
    hide(cast, ids, created_at=now, updated_at=now, content="выкатка")

    def pages(between=lambda _: None, **body):
        cursor, seen, page = None, [], 0
        while True:
            answered = search(cast.ada, query="выкатка", limit=10, **body, **({"cursor": cursor} if cursor else {}))
            seen.append([r["id"] for r in answered["results"]])
            cursor, page = answered["meta"]["next_cursor"], page + 1
            if cursor is None:
                return ids, seen
            between(page)

    return pages


def test_fc49_equal_records_come_each_once_over_all_pages(walk):
    ids, seen = walk()
    assert ([len(page) for page in seen], sorted(chain(*seen))) == ([10, 10, 10, 10, 5], sorted(ids))


def test_fc49_what_changes_between_two_pages_moves_nothing_else(cast, now, walk):
    forgotten = []

    def change(page):
        if page == 2:
            with acting_for(cast.organization.id):
                gone = Record.objects.filter(organization=cast.organization).earliest("id")
            forgotten.append(str(gone.id))
            post(cast.ada, "/v1/forget", {"memory_id": str(gone.id)})
            post(cast.ada, "/v1/remember", {"content": "выкатка"})

    ids, seen = walk(between=change)
    together = list(chain(*seen))
    assert (len(together), set(ids) - set(together) <= set(forgotten), set(together) <= set(ids)) == (
        len(set(together)),
        True,
        True,
    )


def test_fc49_a_cursor_serves_only_the_question_it_was_given_for(cast, now, walk):
    first = search(cast.ada, query="выкатка", limit=10)["meta"]["next_cursor"]
    refused = [
        post(cast.ada, "/v1/search", {"query": "другое", "cursor": first}),
        post(cast.ada, "/v1/search", {"query": "выкатка", "scope": "private", "cursor": first}),
        post(cast.ada, "/v1/search", {"query": "выкатка", "cursor": first[:-2]}),
        post(cast.ada, "/v1/search", {"query": "выкатка", "cursor": first[::-1]}),
    ]
    assert [told(answer) for answer in refused] == [(400, "invalid", "cursor")] * 4


def test_fc49_another_organizations_cursor_gives_nothing_foreign(cast, now, walk):
    foreign = search(cast.ada, query="выкатка", limit=10)["meta"]["next_cursor"]
    own = str(remember(cast.eve.by_key(now=now), "выкатка", now=now).id)
    answered = post(cast.eve, "/v1/search", {"query": "выкатка", "cursor": foreign})
    assert {r["id"] for r in answered.json().get("results", [])} <= {own}


@pytest.fixture
def signs(cast, now):
    texts = ["max_retry is 5", "maxXretry is 9", "скидка 100% по промокоду", "100 процентов готово", "back\\slash"]
    return {str(remember(cast.ada.by_key(now=now), text, now=now).id): text for text in texts}


@pytest.mark.parametrize(
    ("query", "first", "never"),
    [
        ("max_retry", "max_retry is 5", {"maxXretry is 9"}),
        ("100%", "скидка 100% по промокоду", {"max_retry is 5", "maxXretry is 9"}),
        ("%", "скидка 100% по промокоду", {"max_retry is 5", "maxXretry is 9", "100 процентов готово"}),
        ("_", "max_retry is 5", {"maxXretry is 9", "скидка 100% по промокоду", "100 процентов готово"}),
        ("\\", "back\\slash", {"max_retry is 5", "maxXretry is 9", "скидка 100% по промокоду"}),
        ("...", None, set()),
        ("' OR 1=1 --", None, {"max_retry is 5", "скидка 100% по промокоду"}),
    ],
)
def test_fc50_signs_in_a_question_are_looked_for_to_the_letter(cast, signs, query, first, never):
    results = [signs[r["id"]] for r in search(cast.ada, query=query)["results"]]
    assert (results[:1] == [first] if first else True, set(results) & never) == (True, set())


def test_fc50_signs_in_a_filter_are_no_patterns(cast, now):
    caller = cast.ada.by_key(now=now)
    kept = {
        key: str(remember(caller, "quokka", now=now, fact_key=key).id) for key in ("deploy._x", "deploy.ax", "deployxa")
    }
    by_key = {
        key: {r["id"] for r in search(cast.ada, query="quokka", fact_key=key)["results"]}
        for key in ("deploy._", "deploy._*", "deploy.*", "deploy%", "%.*", "_eploy.*", "*")
    }
    both = {kept["deploy._x"], kept["deploy.ax"]}
    assert {key: found for key, found in by_key.items() if found} == {"deploy.*": both}
