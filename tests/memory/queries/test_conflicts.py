"""Conflicts: the open questions as each caller sees them, and their answers, given once and whole."""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from memory.models import Record, Succession
from memory.operations.protection import protect
from memory.operations.settling import settle
from memory.protocol import shapes
from memory.queries.conflicts import conflicts
from orgs.caller import Caller
from orgs.errors import Clash, Forbidden, Invalid, Refusal, Unknown
from orgs.models import AuditEvent
from orgs.roles import Permission
from orgs.tenancy import acting_for
from tests.cast import Cast
from tests.memory.operations.test_protection import without
from tests.memory.writing import checked, forget, found, remember, said

HASH, OTHER_HASH = "sha256:" + "1f" * 32, "sha256:" + "2e" * 32


@pytest.fixture
def ada(cast: Cast, now: datetime) -> Caller:
    return cast.ada.by_key(now=now)


@pytest.fixture
def ben(cast: Cast, now: datetime) -> Caller:
    return cast.ben.by_key(now=now)


def told(caller: Caller, *, now: datetime, **asked: Any) -> list[tuple[str, str, int]]:
    answer = conflicts(caller, shapes.ConflictInputs.model_validate(asked), now=now)
    return [(one.workspace, one.fact_key, one.count) for one in answer.results]


def settled(caller: Caller, *, now: datetime, **answer: Any) -> shapes.Settled:
    done = settle(caller, {"fact_key": "port", **answer}, now=now).answer
    assert isinstance(done, shapes.Settled)
    return done


def statuses(caller: Caller, *ids: UUID, now: datetime) -> list[str]:
    known = {one.id: one.status.value for one in checked(caller, now=now, ids=[str(id) for id in ids]).records}
    return [known[id] for id in ids]


def test_facts_whose_versions_differ_are_listed_newest_first(ada: Caller, now: datetime) -> None:
    for second, (text, key, fields) in enumerate(
        [
            ("8080", "port", {}),
            ("by systemd", "method", {}),
            ("by compose", "method", {}),
            ("9090", "port", {}),
            ("green", "colour", {}),
            (" green ", "colour", {"source_hash": HASH}),
            ("same text", "source", {"source_hash": HASH}),
            ("same text", "source", {"source_hash": OTHER_HASH}),
            ("8081", "port", {"workspace": "other"}),
            ("no key", None, {}),
        ]
    ):
        named = {"fact_key": key} if key else {}
        remember(ada, text, now=now + timedelta(seconds=second), **named, **fields)
    assert told(ada, now=now) == [("default", "source", 2), ("default", "port", 2), ("default", "method", 2)]
    assert told(ada, now=now, fact_key="m*") == []
    assert told(ada, now=now, fact_key="METHOD") == [("default", "method", 2)]
    assert told(ada, now=now, workspace="other") == []


def test_a_conflict_of_older_versions_is_found_under_a_newest_one_that_takes_no_side(ada: Caller, now) -> None:
    hashes: list[dict[str, str]] = [{"source_hash": HASH}, {"source_hash": OTHER_HASH}, {}]
    for second, fields in enumerate(hashes):
        remember(ada, "same text", now=now + timedelta(seconds=second), fact_key="source", **fields)
    assert told(ada, now=now) == [("default", "source", 3)]


def test_a_conflict_never_betrays_a_version_one_cannot_see(cast: Cast, ada: Caller, ben: Caller, now) -> None:
    remember(ada, "8080", now=now, fact_key="port")
    draft = remember(ada, "9090", now=now, fact_key="port", visibility="author")
    assert told(ada, now=now) == [("default", "port", 2)]
    for reader in (ben, cast.cy.by_key(now=now), cast.eve.by_key(now=now)):
        assert told(reader, now=now) == []
        with pytest.raises(Unknown):
            settled(reader, now=now, none=True, reason="wrong")
    with acting_for(ada.organization_id):
        assert Record.objects.get(id=draft.id).forgotten_at is None


def test_conflicts_come_page_by_page(ada: Caller, now: datetime) -> None:
    for n in range(5):
        for text in ("one", "other"):
            remember(ada, text, now=now, fact_key=f"key.{n}")
    keys, cursor = [], None
    for _ in range(3):
        asked = {"limit": 2, "fact_key": "key.*", **({"cursor": cursor} if cursor else {})}
        answer = conflicts(ada, shapes.ConflictInputs.model_validate(asked), now=now)
        keys += [one.fact_key for one in answer.results]
        cursor = answer.meta.next_cursor
    assert (sorted(keys), cursor) == ([f"key.{n}" for n in range(5)], None)


def test_the_version_that_is_kept_supersedes_the_others(ada: Caller, ben: Caller, now: datetime) -> None:
    first, second, third = (remember(ada, text, now=now, fact_key="port").id for text in ("8080", "9090", "8080"))
    answer = settled(ben, now=now, keep=str(second))
    assert (answer.kept, set(answer.superseded), answer.forgotten) == (second, {first, third}, [])
    assert statuses(ada, first, second, third, now=now) == ["stale", "unverified", "stale"]
    assert (told(ada, now=now), [r.id for r in found(ada, "9090 8080", now=now)]) == ([], [second])
    with acting_for(ada.organization_id):
        noted = list(AuditEvent.objects.filter(organization_id=ada.organization_id).values_list("verb", flat=True))
    assert (noted.count("supersede"), noted.count("settle")) == (2, 1)


def test_two_facts_under_one_name_get_names_of_their_own(ada: Caller, now: datetime) -> None:
    first, second = (remember(ada, text, now=now, fact_key="port").id for text in ("8080", "9090"))
    answer = settled(ada, now=now, both={str(first): "Port.Staging", str(second): "port.prod"})
    assert answer.renamed == {first: "port.staging", second: "port.prod"}
    assert statuses(ada, first, second, now=now) == ["unverified", "unverified"]
    assert {r.id for r in found(ada, "port.prod", now=now, fact_key="port.prod")} == {second}
    assert (told(ada, now=now), told(ada, now=now, fact_key="port.*")) == ([], [])


def test_none_right_forgets_also_what_they_had_superseded(ada: Caller, now: datetime) -> None:
    oldest = remember(ada, "7070", now=now, fact_key="port").id
    first, second = (remember(ada, text, now=now, fact_key="port").id for text in ("8080", "9090"))
    said("supersede", ada, now=now, node_id=str(oldest), superseded_by=str(first))
    answer = settled(ada, now=now, none=True, reason="the service is gone")
    assert set(answer.forgotten) == {oldest, first, second}
    with acting_for(ada.organization_id):
        rows = Record.objects.filter(id__in=[oldest, first, second])
        assert {row.forgotten_reason for row in rows} == {"the service is gone"}
    assert found(ada, "port 7070 8080 9090", now=now) == []


def test_none_right_neither_passes_by_protection_nor_by_the_permission_to_forget(ada: Caller, now: datetime) -> None:
    first = remember(ada, "8080", now=now, fact_key="port").id
    remember(ada, "9090", now=now, fact_key="port")
    with pytest.raises(Forbidden):
        settled(without(ada, Permission.FORGET), now=now, none=True, reason="wrong")
    protect(ada, first, now=now)
    with pytest.raises(Clash):
        settled(ada, now=now, none=True, reason="wrong")
    assert told(ada, now=now) == [("default", "port", 2)]


@pytest.mark.parametrize(
    "answer",
    [
        {},
        {"keep": str(uuid4()), "none": True, "reason": "no"},
        {"both": {}},
        {"none": True},
        {"none": False},
        {"both": {str(uuid4()): "archivist:x:y"}},
        {"both": {"not an id": "port.a"}},
        {"both": {str(uuid4()): " "}},
        {"keep": 7},
        {"keep": str(uuid4()), "because": "no"},
    ],
)
def test_an_answer_is_one_and_whole(ada: Caller, now: datetime, answer: dict[str, Any]) -> None:
    for text in ("8080", "9090"):
        remember(ada, text, now=now, fact_key="port")
    with pytest.raises(Invalid):
        settled(ada, now=now, **answer)
    assert told(ada, now=now) == [("default", "port", 2)]


def test_only_versions_of_the_fact_can_be_named_and_otherwise_nothing_changes(ada: Caller, ben: Caller, now) -> None:
    first = remember(ada, "8080", now=now, fact_key="port").id
    remember(ada, "9090", now=now, fact_key="port")
    draft = remember(ada, "7070", now=now, fact_key="port", visibility="author").id
    other = remember(ada, "8080", now=now, fact_key="other").id
    gone = remember(ada, "6060", now=now, fact_key="port").id
    forget(ada, now=now, memory_id=str(gone))
    refusals = []
    for id in (draft, other, gone, uuid4()):
        for answer in ({"keep": str(id)}, {"both": {str(first): "port.a", str(id): "port.b"}}):
            with pytest.raises(Unknown) as refused:
                settled(ben, now=now, **answer)
            refusals.append((refused.value.detail, tuple(answer) == ("keep",)))
    assert len(set(refusals)) == 2
    with acting_for(ada.organization_id):
        assert Succession.objects.filter(organization_id=ada.organization_id).count() == 0
        assert Record.objects.get(id=first).fact_key == "port"


def test_settling_needs_review_and_a_conflict(cast: Cast, ada: Caller, now: datetime) -> None:
    kept = remember(ada, "8080", now=now, fact_key="port").id
    with pytest.raises(Unknown):
        settled(ada, now=now, keep=str(kept))
    remember(ada, "9090", now=now, fact_key="port")
    with pytest.raises(Forbidden):
        settled(without(ada, Permission.REVIEW), now=now, keep=str(kept))
    with pytest.raises(Unknown):
        settled(ada, now=now, keep=str(kept), project="gemini")
    signed_in = cast.oz.signed_in(now=now)
    assert settled(signed_in, now=now, keep=str(kept), project="apollo").kept == kept


def test_settling_again_with_the_same_key_repeats_the_answer(ada: Caller, now: datetime) -> None:
    first, second = (remember(ada, text, now=now, fact_key="port").id for text in ("8080", "9090"))
    payload = {"fact_key": "port", "keep": str(first)}
    once = settle(ada, payload, now=now, idempotency_key="k")
    again = settle(ada, payload, now=now, idempotency_key="k")
    assert (again.answer, once.replayed, again.replayed) == (once.answer, False, True)
    with pytest.raises(Refusal):
        settle(ada, {**payload, "keep": str(second)}, now=now, idempotency_key="k")
    assert statuses(ada, first, second, now=now) == ["unverified", "stale"]
