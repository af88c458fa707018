"""Lists of records: every record once, whatever its time, and only what the caller sees."""

import base64
import json
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from memory.models import Record, Relation
from memory.protocol import shapes
from memory.queries import listing
from orgs.caller import Caller
from orgs.errors import Invalid, Unknown
from orgs.tenancy import acting_for
from tests.cast import Cast
from tests.memory.writing import forget, remember, said


@pytest.fixture
def ada(cast: Cast, now: datetime) -> Caller:
    return cast.ada.by_key(now=now)


def listed(caller: Caller, *, now: datetime, **asked: Any) -> shapes.RecordList:
    return listing.records(caller, shapes.ListInputs.model_validate(asked), now=now)


def walked(caller: Caller, *, now: datetime, **asked: Any) -> list[UUID]:
    """Walk all pages."""
    ids, cursor = [], None
    while True:
        page = listed(caller, now=now, **asked, **({"cursor": cursor} if cursor else {}))
        ids += [record.id for record in page.results]
        cursor = page.meta.next_cursor
        if cursor is None:
            return ids


def test_fc49_records_of_one_instant_come_once_each(ada: Caller, now: datetime) -> None:
    written = [remember(ada, f"fact {number}", now=now).id for number in range(45)]
    assert walked(ada, now=now, limit=10) == sorted(written, reverse=True)
    assert walked(ada, now=now, limit=45) == sorted(written, reverse=True)


def test_fc49_what_comes_and_goes_between_pages_moves_nothing_else(ada: Caller, now: datetime) -> None:
    written = sorted((remember(ada, f"fact {number}", now=now).id for number in range(9)), reverse=True)
    first = listed(ada, now=now, limit=3)
    remember(ada, "newer", now=now + timedelta(seconds=1))
    forget(ada, now=now, memory_id=str(written[2]))
    forget(ada, now=now, memory_id=str(written[3]))
    second = listed(ada, now=now, limit=3, cursor=first.meta.next_cursor)
    assert [record.id for record in [*first.results, *second.results]] == [*written[:3], *written[4:7]]


def test_fc49_filters_hold_on_every_page_and_a_cursor_belongs_to_them(ada: Caller, now: datetime) -> None:
    wanted = [remember(ada, f"fact {n}", now=now, tags=["a"]).id for n in range(5)]
    for n in range(5):
        remember(ada, f"other {n}", now=now, tags=["b"])
    assert walked(ada, now=now, limit=2, tags=["a"]) == sorted(wanted, reverse=True)
    cursor = listed(ada, now=now, limit=2, tags=["a"]).meta.next_cursor
    with pytest.raises(Invalid):
        listed(ada, now=now, limit=2, tags=["b"], cursor=cursor)


def test_fc49_a_foreign_or_tampered_cursor_is_refused(cast: Cast, ada: Caller, now: datetime) -> None:
    for n in range(3):
        remember(ada, f"fact {n}", now=now)
        remember(cast.eve.by_key(now=now), f"foreign {n}", now=now)
    foreign = listed(cast.eve.by_key(now=now), now=now, limit=1).meta.next_cursor
    own = listed(ada, now=now, limit=1).meta.next_cursor
    assert own is not None
    parts = json.loads(base64.urlsafe_b64decode(own + "=="))
    tampered = [
        base64.urlsafe_b64encode(json.dumps(wrong).encode()).decode()
        for wrong in ([*parts[:2], "0" * 16], ["2026", *parts[1:]], [parts[0], 7, parts[2]], parts[:2], {}, 1, [[]])
    ]
    for cursor in [foreign, *tampered, own[:-3], "äöü", "x", "=" * 8]:
        with pytest.raises(Invalid):
            listed(ada, now=now, limit=1, cursor=cursor)


def test_a_status_is_judged_on_every_page_so_that_none_is_lost(ada: Caller, now: datetime) -> None:
    expired = [remember(ada, f"old {n}", now=now, valid_until=now.isoformat()).id for n in range(5)]
    fresh = [remember(ada, f"new {n}", now=now).id for n in range(7)]
    assert walked(ada, now=now, limit=2, status="stale") == sorted(expired, reverse=True)
    assert walked(ada, now=now, limit=2, exclude_stale=True) == sorted(fresh, reverse=True)


def test_the_versions_of_a_fact_are_listed_with_those_that_were_superseded(cast: Cast, ada: Caller, now) -> None:
    ids = [
        remember(ada, f"port {n}", now=now + timedelta(seconds=n), fact_key="port", **fields).id
        for n, fields in enumerate([{}, {}, {"visibility": "author"}])
    ]
    gone = remember(ada, "port 9", now=now, fact_key="port").id
    remember(ada, "port 9", now=now, fact_key="port", workspace="other")
    said("supersede", ada, now=now, node_id=str(ids[0]), superseded_by=str(ids[1]))
    forget(ada, now=now, memory_id=str(gone))

    def versions(caller: Caller, id: UUID) -> list[UUID]:
        return [one.id for one in listing.versions(caller, id, shapes.Page(), now=now).results]

    assert versions(ada, ids[0]) == [ids[2], ids[1], ids[0]]
    assert versions(cast.cy.by_key(now=now), ids[0]) == [ids[1], ids[0]]
    lone = remember(ada, "no key", now=now).id
    assert versions(ada, lone) == [lone]
    with pytest.raises(Unknown):
        versions(cast.cy.by_key(now=now), ids[2])
    with pytest.raises(Unknown):
        versions(ada, gone)


def test_fc13_fc34_links_show_with_both_ends_and_go_and_return_with_them(cast: Cast, ada: Caller, now) -> None:
    ben = cast.ben.by_key(now=now)
    draft = remember(ada, "аудит: пароль стенда сменить до пятницы", now=now, visibility="author")
    shared = remember(ada, "пароли стенда меняем раз в квартал", now=now)
    other = remember(ada, "стенд переехал", now=now)
    with acting_for(ada.organization_id):
        for target in (shared, other):
            ends = {"organization_id": ada.organization_id, "origin_id": draft.id, "target_id": target.id}
            Relation.objects.create(**ends, kind="relates_to", weight=0.5, created_at=now)

    def links(caller: Caller, id: UUID) -> list[UUID]:
        return [link.target_id for link in listing.relations(caller, id, shapes.RelationsInputs()).results]

    assert (links(ada, shared.id), links(ben, shared.id)) == ([draft.id], [])
    assert set(links(ada, draft.id)) == {shared.id, other.id}
    first = listing.relations(ada, draft.id, shapes.RelationsInputs(limit=1))
    assert (len(first.results), first.truncated) == (1, True)
    forget(ada, now=now, memory_id=str(draft.id))
    assert links(ada, shared.id) == []
    forget(ada, now=now, memory_id=str(draft.id), action="restore")
    assert links(ada, shared.id) == [draft.id]
    with acting_for(ada.organization_id):
        Record.objects.filter(id=shared.id).update(visibility="author")
    with pytest.raises(Unknown):
        links(ben, shared.id)


@pytest.mark.parametrize(
    "query",
    [
        *("limit=0", "limit=-1", "limit=1000001", "limit=abc", "limit=", "limit=1&limit=2", "cursor=", "cursor=abc"),
        *("status=verified", "offset=3", "author=me", "created_from=yesterday", "tags=%00", "min_confidence=2"),
    ],
)
def test_fc49_bad_parameters_are_named(cast: Cast, client, query: str) -> None:
    response = client.get(f"/v1/records?{query}", headers=cast.ada.headers)
    assert (response.status_code, response.json()["field"].split(".")[0]) == (400, query.split("=", maxsplit=1)[0])


def test_parameters_of_an_address_are_typed(cast: Cast, ada: Caller, client, now: datetime) -> None:
    right = remember(ada, "one", now=now, tags=["a", "b"], confidence=0.9)
    remember(ada, "two", now=now, tags=["a"], confidence=0.9)
    remember(ada, "three", now=now, tags=["a", "b"], confidence=0.1)
    query = "tags=a&tags=b&min_confidence=0.5&include_superseded=true&visibility=project&limit=5"
    answer = client.get(f"/v1/records?{query}", headers=cast.ada.headers).json()
    assert ([one["id"] for one in answer["results"]], answer["meta"]["limit"]) == ([str(right.id)], 5)
