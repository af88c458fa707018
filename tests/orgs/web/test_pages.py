"""What holds for every page, found from the addresses themselves, so that a new page is covered at once."""

from uuid import UUID

import pytest
from django.test import Client
from django.urls import reverse

from memory.protocol.shapes import Record
from memory.web import urls as memory_urls
from orgs.web import urls as orgs_urls
from tests.cast import Cast
from tests.memory.writing import remember
from tests.orgs.web.test_signing_in import signed_in

PAGES = [
    (f"{module.app_name}:{one.name}", "id" in str(one.pattern))
    for module in (memory_urls, orgs_urls)
    for one in module.urlpatterns
]
OF_ONE_THING = [name for name, has_id in PAGES if has_id]
SOME_ID = UUID("01999999-9999-7999-8999-999999999999")


def address(name: str, id: object = SOME_ID) -> str:
    return reverse(name, args=[id] if name in OF_ONE_THING else [])


@pytest.mark.parametrize("name", [name for name, _ in PAGES])
@pytest.mark.parametrize("method", ["get", "post"])
def test_a_guest_is_sent_to_sign_in(db, name, method):
    answer = getattr(Client(headers={"accept": "text/html"}), method)(address(name))
    assert answer.status_code == 302
    assert answer["Location"].startswith("/login/?next=")


@pytest.mark.parametrize("name", [name for name, _ in PAGES])
def test_a_post_without_proof_of_origin_is_refused_with_a_page(cast: Cast, name):
    answer = signed_in(cast.ada, enforce_csrf_checks=True).post(address(name))
    assert answer.status_code == 403
    assert "came from elsewhere" in answer.content.decode()


def texts(name: str, id: object, client: Client) -> set[tuple[int, str]]:
    answers = [getattr(client, method)(address(name, id)) for method in ("get", "post")]
    bodies = [(one.status_code, one.content.decode()) for one in answers]
    return {
        (status, body.split("<title>")[1].split("csrfmiddlewaretoken")[0]) for status, body in bodies if status != 405
    }


@pytest.mark.parametrize("name", OF_ONE_THING)
def test_foreign_hidden_unknown_and_impossible_ids_get_the_same_page(cast: Cast, now, name):
    foreign = remember(cast.eve.signed_in(now=now), "theirs", now=now)
    draft = remember(cast.ada.signed_in(now=now), "a draft", now=now, visibility="author")
    elsewhere = remember(cast.dot.signed_in(now=now), "another project's", now=now)
    ids = [SOME_ID, foreign.id, draft.id, elsewhere.id, cast.eve.key.id, cast.ada.key.id, "nonsense", "%00"]
    client = signed_in(cast.ben)
    seen = [texts(name, id, client) for id in ids]
    assert {status for some in seen for status, _ in some} == {404}
    assert all(one == seen[0] for one in seen)


def test_nothing_changes_by_looking(cast: Cast, now):
    record: Record = remember(cast.ada.signed_in(now=now), "stays", now=now)
    client = signed_in(cast.ada)
    changing = {"memory:forget": record.id, "memory:restore": record.id, "orgs:revoke-key": cast.ada.key.id}
    assert [client.get(address(name, id)).status_code for name, id in changing.items()] == [405, 405, 405]
    assert client.get(address("memory:record", record.id)).status_code == 200


def test_what_django_itself_refuses_is_a_page_for_browsers(cast: Cast):
    answer = signed_in(cast.ada).get("/", headers={"host": "somewhere.example", "accept": "text/html"})
    assert (answer.status_code, "This request cannot be read" in answer.content.decode()) == (400, True)


def test_a_fault_of_ours_is_a_page_without_a_trace(cast: Cast, monkeypatch):
    monkeypatch.setattr("memory.queries.browsing.newest", lambda *_, **__: {}["the secret of the house"])
    client = signed_in(cast.ada)
    client.raise_request_exception = False
    answer = client.get("/")
    assert answer.status_code == 500
    assert "The service made a mistake" in answer.content.decode()
    assert "secret" not in answer.content.decode()


def test_an_unknown_address_is_a_page_for_browsers_and_a_problem_for_programs(db):
    page, problem = Client(headers={"accept": "text/html"}).get("/nowhere"), Client().get("/nowhere")
    machine = Client(headers={"accept": "text/html"}).get("/v1/nowhere")
    assert [one.status_code for one in (page, problem, machine)] == [404, 404, 404]
    assert page["Content-Type"].startswith("text/html")
    assert problem["Content-Type"] == machine["Content-Type"] == "application/problem+json"


def test_every_answer_carries_the_policy_and_no_page_has_a_script_of_its_own(cast: Cast, now):
    record = remember(cast.oz.signed_in(now=now), "a fact", now=now)
    client = signed_in(cast.oz)
    for name, _ in PAGES:
        answer = client.get(address(name, record.id))
        assert "default-src 'none'" in answer["Content-Security-Policy"]
        assert "unsafe" not in answer["Content-Security-Policy"]
        body = answer.content.decode()
        assert "<style" not in body
        assert body.count("<script") == body.count("<script src=")
        assert " style=" not in body
        assert " onclick=" not in body
        if answer.status_code != 405:
            assert "no-store" in answer["Cache-Control"]
