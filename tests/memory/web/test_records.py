"""Records on pages: seen through the reader's own eyes, changed through the verbs."""

import re

import pytest

from memory.models import Record
from orgs import grants
from orgs.models import AuditEvent
from orgs.roles import Permission
from orgs.tenancy import acting_for
from tests.cast import Cast
from tests.memory.writing import forget, remember
from tests.orgs.web.test_signing_in import signed_in

ONCE = "6f0f0a46-5a60-4f3c-8a57-0d0a3a5f9d10"


def text(answer) -> str:
    return str(answer.content.decode())


def test_fc39_forgetting_on_a_page_is_soft_says_who_and_why_and_is_audited_once(cast: Cast, now):
    record = remember(cast.ada.signed_in(now=now), "to be forgotten", now=now)
    client = signed_in(cast.ada)
    page = client.post(f"/records/{record.id}/forget/", {"reason": "wrong"}, follow=True)
    with acting_for(cast.organization.id):
        kept = Record.objects.get(id=record.id)
        events = AuditEvent.objects.filter(object_id=str(record.id), verb="forget").count()
    assert (kept.content, kept.forgotten_by_id, kept.forgotten_reason) == ("to be forgotten", cast.ada.user.id, "wrong")
    assert kept.forgotten_at is not None
    assert events == 1
    assert "to be forgotten" not in text(page)
    assert "This record was forgotten" in text(page)
    assert "to be forgotten" not in text(client.get("/"))
    assert "to be forgotten" in text(client.post(f"/records/{record.id}/restore/", follow=True))


def test_who_may_only_look_is_offered_no_forgetting_and_finds_no_tombstone(cast: Cast, now):
    record = remember(cast.dot.signed_in(now=now), "for everybody", now=now, visibility="organization")
    client = signed_in(cast.ada)
    page = client.get(f"/records/{record.id}/")
    assert "for everybody" in text(page)
    assert "Forget this record" not in text(page)
    assert "Gemini" not in text(page)
    assert client.post(f"/records/{record.id}/forget/").status_code == 404
    forget(cast.dot.signed_in(now=now), now=now, memory_id=str(record.id))
    assert client.get(f"/records/{record.id}/").status_code == 404


def test_a_passport_tells_of_versions_sources_and_summaries_that_the_reader_sees(cast: Cast, now):
    ada, ben = (person.signed_in(now=now) for person in (cast.ada, cast.ben))
    old = remember(ada, "port 5432", now=now, fact_key="db.port")
    remember(ada, "a draft says 6432", now=now, fact_key="db.port", visibility="author")
    new = remember(ben, "port 5433", now=now, fact_key="db.port")
    summary = remember(ben, "the port moved", now=now, derived_from=[str(old.id), str(new.id)])
    remember(ada, "my own summary", now=now, derived_from=[str(old.id)], visibility="author")

    def shown(person, record):
        passport = signed_in(person).get(f"/records/{record.id}/").context["passport"]
        return [{one.content for one in some} for some in (passport.versions, passport.sources, passport.summaries)]

    assert shown(cast.ben, old) == [{"port 5433"}, set(), {"the port moved"}]
    assert shown(cast.ada, old) == [{"port 5433", "a draft says 6432"}, set(), {"the port moved", "my own summary"}]
    assert shown(cast.ben, summary) == [set(), {"port 5432", "port 5433"}, set()]


def test_search_looks_into_the_chosen_project_and_into_what_is_open_to_the_organization(cast: Cast, now):
    oz = cast.oz.signed_in(now=now)
    remember(oz, "apples here", now=now)
    remember(oz.writing_in(cast.other_project.id), "apples there", now=now)
    remember(oz.writing_in(cast.other_project.id), "apples for all", now=now, visibility="organization")
    client = signed_in(cast.oz)
    client.post("/places/", {"organization": str(cast.organization.id), "project": str(cast.project.id)})
    for query in ("/", "/?q=apples"):
        assert {one.content for one in client.get(query).context["records"]} == {"apples here", "apples for all"}


def test_filters_narrow_and_the_next_page_goes_on_where_this_one_ended(cast: Cast, now):
    ada = cast.ada.signed_in(now=now)
    for number in range(25):
        remember(ada, f"pear number {number}", now=now, workspace="fruit", source="agent")
    remember(ada, "pear of another place", now=now)
    client = signed_in(cast.ada)
    first = client.get("/", {"q": "pear", "workspace": "fruit", "source": "agent", "status": "unverified"})
    assert len(first.context["records"]) == 20
    second = client.get("/" + first.context["next_page"])
    found = [one.content for page in (first, second) for one in page.context["records"]]
    assert sorted(found) == sorted(f"pear number {number}" for number in range(25))
    assert second.context["next_page"] == ""
    assert client.get("/", {"q": "pear", "status": "stale"}).context["records"] == []


@pytest.mark.parametrize(
    "asked", [{"q": "x", "cursor": "nonsense"}, {"q": "x", "status": "verified"}, {"q": "x" * 2001}]
)
def test_a_question_that_cannot_be_asked_is_answered_on_the_page(cast: Cast, asked):
    answer = signed_in(cast.ada).get("/", asked)
    assert answer.status_code == 400
    assert "errornote" in text(answer)


@pytest.mark.parametrize(
    ("asked", "said"),
    [({}, "Nothing is remembered here yet"), ({"source": "x"}, "Nothing found"), ({"workspace": "x"}, "Nothing found")],
)
def test_what_filters_hide_is_not_said_to_be_missing(cast: Cast, asked, said):
    assert said in text(signed_in(cast.ada).get("/", asked))


def test_an_empty_memory_offers_to_remember_to_whoever_may(cast: Cast):
    with acting_for(cast.organization.id):
        grants.withdraw(Permission.WRITE, on=cast.project, to=cast.ben.member)
    pages = [signed_in(person).get("/") for person in (cast.ada, cast.ben)]
    assert [re.findall(r'href="/remember/"[^>]*>\s*Remember', text(page)) != [] for page in pages] == [True, False]


def test_a_fact_is_remembered_once_however_often_the_form_is_sent(cast: Cast):
    client = signed_in(cast.ada)
    said = {"content": "Staging: password=Winter757nALx!", "workspace": "default", "once": ONCE}
    pages = [client.post("/remember/", said, follow=True) for _ in range(2)]
    ids = {page.context["record"].id for page in pages}
    assert len(ids) == 1
    assert "Winter757" not in text(pages[0])
    assert "Taken out before it was stored" in text(pages[0])


def test_what_is_wrong_with_a_fact_is_said_beside_its_field_and_nothing_is_lost(cast: Cast):
    client = signed_in(cast.ada)
    answer = client.post("/remember/", {"content": "a fact", "fact_key": "archivist:mine", "once": ONCE})
    assert (answer.status_code, list(answer.context["form"].errors)) == (400, ["fact_key"])
    assert "a fact" in text(answer)


def test_who_may_not_write_is_told_so(cast: Cast, now):
    with acting_for(cast.organization.id):
        grants.withdraw(Permission.WRITE, on=cast.project, to=cast.ben.member)
    client = signed_in(cast.ben)
    assert "/remember/" not in text(client.get("/"))
    assert [
        client.get("/remember/").status_code,
        client.post("/remember/", {"content": "x", "once": ONCE}).status_code,
    ] == [
        403,
        403,
    ]


def test_a_long_record_is_cut_in_lists_and_whole_on_its_page(cast: Cast, now):
    record = remember(cast.ada.signed_in(now=now), "begin " + "x" * 900_000 + " end", now=now)
    client = signed_in(cast.ada)
    assert len(text(client.get("/"))) < 60_000
    assert " end" in text(client.get(f"/records/{record.id}/"))
