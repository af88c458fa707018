"""Remembering and forgetting over REST: what is stored, what is the same fact, what is done once."""

from datetime import timedelta

import pytest

from memory import replays
from memory.models import Errand, Record, Replay
from orgs.models import Workspace
from orgs.tenancy import acting_for
from tests.memory.api.calling import get, post, told

FACT = {"content": "staging by systemd", "fact_key": "deploy.staging.method", "source_hash": "sha256:" + "1f" * 32}


def remember(person, content="x", **fields):
    kept = post(person, "/v1/remember", {"content": content, **fields})
    assert kept.status_code == 201, kept.content
    return kept.json()


def found(person, query, **filters):
    return [r["id"] for r in post(person, "/v1/search", {"query": query, **filters}).json()["results"]]


def stored(cast, **conditions):
    with acting_for(cast.organization.id):
        return Record.objects.filter(organization=cast.organization, **conditions).count()


# --- ids in bodies -------------------------------------------------------------------------------


@pytest.mark.parametrize("field", ["derived_from", "depends_on"])
def test_fc26_a_source_named_twice_counts_once_and_the_51st_is_refused(cast, field):
    ids = [remember(cast.ada, f"fact {n}")["id"] for n in range(3)]
    kept = remember(cast.ada, "summary", **{field: [*ids, *ids, ids[0].upper()]})
    assert kept[field] == ids
    refused = post(cast.ada, "/v1/remember", {"content": "too many", field: ids * 17})
    assert (told(refused), stored(cast, content="too many")) == ((400, "invalid", field), 0)


@pytest.mark.parametrize("field", ["derived_from", "depends_on"])
def test_fc26_every_missing_source_is_named_and_nothing_is_stored(cast, field):
    live = remember(cast.ada, "live")["id"]
    gone = remember(cast.ada, "gone")["id"]
    post(cast.ada, "/v1/forget", {"memory_id": gone})
    foreign = remember(cast.eve, "foreign")["id"]
    refused = post(cast.ada, "/v1/remember", {"content": "lost", field: [gone, live, foreign]})
    assert (told(refused), refused.json()["missing"]) == ((422, "E050", None), [gone, foreign])
    assert stored(cast, content="lost") == 0


@pytest.mark.parametrize("id", ["not-a-uuid", 12, 99999999999999999999, "", True, {}, [[]], 1.5])
@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/remember", lambda id: {"content": "x", "derived_from": [id]}),
        ("/v1/forget", lambda id: {"memory_id": id}),
        ("/v1/forget", lambda id: {"id": id, "action": "restore"}),
        ("/v1/validate_memory", lambda id: {"ids": [id]}),
        ("/v1/search", lambda id: {"query": "x", "author": id}),
    ],
)
def test_fc26_what_is_no_id_is_refused_by_the_name_of_its_field(cast, path, body, id):
    named = next(name for name in body(id) if name in {"derived_from", "memory_id", "id", "ids", "author"})
    status, code, field = told(post(cast.ada, path, body(id)))
    assert (status, code, field.split(".")[0]) == (400, "invalid", named)


# --- one fact, one workspace ---------------------------------------------------------------------


def test_fc35_what_was_forgotten_can_be_remembered_again_and_both_can_live(cast):
    first = remember(cast.ada, **FACT)
    assert post(cast.ada, "/v1/forget", {"memory_id": first["id"]}).json()["ok"] is True
    second = remember(cast.ada, **FACT)
    assert (second["id"] != first["id"], second["committed"], second["status"]) == (True, True, "unverified")
    assert found(cast.ada, "staging systemd") == [second["id"]]
    again = post(cast.ada, "/v1/forget", {"memory_id": first["id"]})
    assert (told(again)[0], again.json()["ok"], bool(again.json()["reason"])) == (404, False, True)
    assert post(cast.ada, f"/v1/records/{first['id']}/restore", {}).json()["ok"] is True
    statuses = [get(cast.ada, f"/v1/records/{id}").json()["status"] for id in (first["id"], second["id"])]
    assert statuses == ["unverified", "unverified"]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("стройка.главный", "стройка.главныи\u0306", True),
        ("Deploy.Staging", "deploy.staging", True),
        ("deploy.\ufb01le", "deploy.file", True),
        ("deploy\u00a0staging", "deploy staging", True),
        ("  deploy.staging ", "deploy.staging", True),
        ("ｄｅｐｌｏｙ．ｓｔａｇｉｎｇ", "deploy.staging", True),
        ("deploy.staging", "deploy-staging", False),
    ],
)
def test_fc55_equal_looking_keys_are_one_topic(cast, one, other, same):
    first = remember(cast.ada, "by systemd", fact_key=one)
    second = remember(cast.ada, "by compose", fact_key=other)
    assert (second["status"], second["fact_key"] == first["fact_key"]) == ("conflict" if same else "unverified", same)
    assert set(found(cast.ada, "by systemd compose", fact_key=other)) == {
        second["id"],
        *([first["id"]] if same else []),
    }


def test_fc55_equal_looking_workspaces_are_one_and_content_stays_as_sent(cast):
    composed, decomposed = "caf\u00e9", "cafe\u0301"
    first, second = (
        remember(cast.ada, "красный йод", workspace=composed),
        remember(cast.ada, "йод", workspace=decomposed),
    )
    assert (first["workspace"], second["content"]) == (second["workspace"], "йод")
    assert set(found(cast.ada, "йод", workspace=decomposed)) == {first["id"], second["id"]}
    with acting_for(cast.organization.id):
        assert Workspace.objects.filter(project=cast.project, name__startswith="caf").count() == 1
    raw = remember(cast.ada, "йод cafe\u0301 ﬁle\u00a0x")
    assert get(cast.ada, f"/v1/records/{raw['id']}").json()["content"] == "йод cafe\u0301 ﬁle\u00a0x"


@pytest.mark.parametrize(
    "content",
    [
        " ".join(f"{n:032x}" for n in range(31_000)),
        "начало " + "部署" * 500_000,
        "beginning " + "a" * 3_000,
        "beginning " + " ".join(f"w{n}" for n in range(140_000)),
    ],
    ids=["distinct words", "one line of Chinese", "one long word", "short words"],
)
def test_fc58_a_text_too_big_for_its_index_is_stored_and_found_by_its_beginning(cast, content):
    kept = remember(cast.ada, content[:1_048_576])
    assert kept["content"] == content[:1_048_576]
    assert found(cast.ada, content[:12].split()[0] if " " in content[:12] else content[:32]) == [kept["id"]]


def test_fc65_a_new_version_leaves_the_old_one_as_it_was(cast):
    fields = {
        "scope": "private",
        "workspace": "infra",
        "confidence": 0.9,
        "source_id": "docs/a.md",
        "visibility": "author",
    }
    old = remember(cast.ada, "window at nine", fact_key="deploy.window", **fields)
    remember(cast.ada, "window at ten", fact_key="deploy.window", workspace="infra")
    shown = get(cast.ada, f"/v1/records/{old['id']}").json()
    assert {name: shown[name] for name in fields} == fields
    assert (shown["content"], shown["status"], shown["updated_at"]) == ("window at nine", "conflict", old["updated_at"])


# --- the same call again -------------------------------------------------------------------------


def test_fc60_the_same_key_and_body_have_one_effect_and_one_answer(cast):
    body = {
        "content": "once",
        "metadata": {"b": 1, "a": [1.5, {"z": None}]},
        "valid_from": "2026-03-01T00:00:00.123456+03:00",
    }
    answers = [post(cast.ada, "/v1/remember", body, Idempotency_Key="k") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [201, 201, 201]
    assert [answer.json() for answer in answers] == [answers[0].json()] * 3
    assert [answer.headers.get("Idempotency-Replayed") for answer in answers] == [None, "true", "true"]
    assert stored(cast, content="once") == 1


@pytest.mark.parametrize(
    "body",
    [
        {"metadata": {"b": 2, "a": 1}, "content": "once", "workspace": None},
        {"content": "once", "metadata": {"a": 1, "b": 2}, "fact_key": None},
    ],
)
def test_fc60_a_body_is_the_same_whatever_its_order_and_its_nulls(cast, body):
    first = post(cast.ada, "/v1/remember", {"content": "once", "metadata": {"a": 1, "b": 2}}, Idempotency_Key="k")
    again = post(cast.ada, "/v1/remember", body, Idempotency_Key="k")
    assert (again.status_code, again.json()) == (201, first.json())


def test_fc60_the_same_key_with_another_body_or_verb_is_refused(cast):
    kept = post(cast.ada, "/v1/remember", {"content": "once"}, Idempotency_Key="k").json()
    others = [
        post(cast.ada, "/v1/remember", {"content": "twice"}, Idempotency_Key="k"),
        post(cast.ada, "/v1/remember", {"content": "once", "scope": "private"}, Idempotency_Key="k"),
        post(cast.ada, "/v1/forget", {"memory_id": kept["id"]}, Idempotency_Key="k"),
        post(cast.ada, f"/v1/records/{kept['id']}/restore", {}, Idempotency_Key="k"),
    ]
    assert [told(other) for other in others] == [(422, "unprocessable", "Idempotency-Key")] * 4
    assert (stored(cast), get(cast.ada, f"/v1/records/{kept['id']}").status_code) == (1, 200)


def test_fc60_keys_of_different_callers_are_different_keys(cast):
    people = [cast.ada, cast.ben, cast.dot, cast.eve]
    answers = [post(person, "/v1/remember", {"content": "once"}, Idempotency_Key="k") for person in people]
    assert len({answer.json()["id"] for answer in answers}) == 4


def test_fc60_a_refused_attempt_does_not_burn_its_key(cast):
    assert told(post(cast.ada, "/v1/remember", {"content": ""}, Idempotency_Key="k"))[0] == 400
    missing = {"content": "x", "derived_from": ["0199d1c4-7e1f-7c3a-9a4c-2e5d8b7f1a60"]}
    assert told(post(cast.ada, "/v1/remember", missing, Idempotency_Key="k"))[0] == 422
    assert (
        post(cast.ada, "/v1/write", {"content": "x", "content_kind": "summary"}, Idempotency_Key="k").status_code == 422
    )
    assert post(cast.ada, "/v1/remember", {"content": "corrected"}, Idempotency_Key="k").status_code == 201


def test_fc60_an_attempt_that_changed_nothing_does_not_burn_its_key(cast):
    kept = remember(cast.ada)["id"]
    restore = lambda: post(cast.ada, f"/v1/records/{kept}/restore", {}, Idempotency_Key="k")  # noqa: E731
    assert told(restore())[0] == 404
    post(cast.ada, "/v1/forget", {"memory_id": kept})
    assert [restore().status_code, restore().status_code] == [200, 200]


@pytest.mark.parametrize("key", ["", "   ", "k" * 256, "k" * 6_400, "a\x00", "a\nb", "a\x7f"])
def test_fc60_a_key_that_is_none_is_refused(cast, key):
    refused = post(cast.ada, "/v1/remember", {"content": "x"}, Idempotency_Key=key)
    assert (told(refused), stored(cast)) == ((400, "invalid", "Idempotency-Key"), 0)


def test_fc60_a_key_is_free_again_after_its_day(cast, now):
    first = post(cast.ada, "/v1/remember", {"content": "once"}, Idempotency_Key="k").json()
    with acting_for(cast.organization.id):
        Replay.objects.update(created_at=now - replays.KEPT - timedelta(seconds=1))
    second = post(cast.ada, "/v1/remember", {"content": "another"}, Idempotency_Key="k")
    assert (second.status_code, second.json()["id"] != first["id"]) == (201, True)


def test_fc60_an_answer_that_is_given_again_tells_nothing_to_who_lost_the_right_to_it(cast):
    post(cast.ada, "/v1/remember", {"content": "once"}, Idempotency_Key="k")
    with acting_for(cast.organization.id):
        cast.ada.key.actions = ["read"]
        cast.ada.key.save(update_fields=["actions"])
    assert told(post(cast.ada, "/v1/remember", {"content": "once"}, Idempotency_Key="k")) == (403, "forbidden", None)


def test_fc36_a_record_and_its_errands_are_there_together(cast):
    kept = remember(cast.ada)["id"]
    with acting_for(cast.organization.id):
        assert set(Errand.objects.filter(record=kept).values_list("kind", flat=True)) == {"embed", "review", "scan"}
