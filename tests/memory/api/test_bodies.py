"""What is sent over REST: whatever it is, the answer is JSON, and names what to mend."""

import json

import pytest

from memory.models import Record
from orgs.tenancy import acting_for
from tests.memory.api.calling import get, post, told

DEEP = [
    b"[" * 20_000 + b"]" * 20_000,
    b'{"content":"a","derived_from":' + b"[" * 900 + b"]" * 900 + b"}",
    b'{"content":"a","metadata":' + b'{"a":' * 5_000 + b"1" + b"}" * 5_000 + b"}",
    b'{"a":' * 100_000,
]


def stored(cast) -> int:
    with acting_for(cast.organization.id):
        return Record.objects.filter(organization=cast.organization).count()


@pytest.mark.parametrize("path", ["/v1/remember", "/v1/search", "/v1/forget", "/v1/validate_memory"])
@pytest.mark.parametrize("body", DEEP, ids=["array", "list", "object", "cut off"])
def test_fc06_a_deeply_nested_body_is_refused_as_json(cast, path, body):
    assert told(post(cast.ada, path, body)) == (400, "invalid", "body")
    assert post(cast.ada, "/v1/search", {"query": "x"}).status_code == 200


@pytest.mark.parametrize(
    "body",
    [
        *(b"", b"{", b"null", b"[]", b'"text"', b"12", b"true", b"{} {}", b"{'content': 'x'}", b"content=x"),
        b'{"content": "\xff\xfe"}',
        b'{"content": "\xed\xa0\xbd"}',
        '{"content": "x"}'.encode("utf-16"),
        b'{"content": NaN}',
        b'{"content": "x", "confidence": Infinity}',
        b'{"content": "x", "confidence": 1e999}',
        b'{"content": "x", "metadata": {"n": -Infinity}}',
        b'{"content": "x\\ud83d"}',
        b'{"content": "x", "metadata": {"\\ud83d": 1}}',
    ],
)
def test_what_is_no_json_object_is_refused(cast, body):
    assert told(post(cast.ada, "/v1/remember", body))[:2] == (400, "invalid")
    assert stored(cast) == 0


def test_fc10_a_body_over_the_limit_is_refused_with_the_limit(cast, settings):
    settings.MAX_BODY_BYTES = 100_000
    refused = post(cast.ada, "/v1/remember", {"content": "a" * 100_000})
    assert (told(refused), refused.json()["limit_bytes"]) == ((413, "too_large", None), 100_000)


@pytest.mark.parametrize("letter", ["a", "部"])
def test_fc10_the_limit_of_a_text_counts_characters_in_every_alphabet(cast, letter):
    whole = post(cast.ada, "/v1/remember", json.dumps({"content": letter * 1_048_576}, ensure_ascii=False))
    over = post(cast.ada, "/v1/remember", json.dumps({"content": letter * 1_048_577}, ensure_ascii=False))
    assert (whole.status_code, len(whole.json()["content"])) == (201, 1_048_576)
    assert (told(over), "1048576" in over.json()["detail"]) == ((400, "invalid", "content"), True)


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        ("/v1/remember", {"content": "a\0b"}, "content"),
        ("/v1/remember", {"content": "x", "fact_key": "k\0"}, "fact_key"),
        ("/v1/remember", {"content": "x", "workspace": "w\0"}, "workspace"),
        ("/v1/remember", {"content": "x", "source_id": "\0"}, "source_id"),
        ("/v1/remember", {"content": "x", "tags": ["a", "b\0"]}, "tags.1"),
        ("/v1/remember", {"content": "x", "metadata": {"k\0": 1}}, "metadata"),
        ("/v1/remember", {"content": "x", "metadata": {"k": [{"l": "\0"}]}}, "metadata"),
        ("/v1/search", {"query": "a\0"}, "query"),
        ("/v1/search", {"query": "a", "fact_key": "\0"}, "fact_key"),
        ("/v1/search", {"query": "a", "cursor": "\0"}, "cursor"),
        ("/v1/forget", {"source_id": "a\0"}, "source_id"),
        ("/v1/forget", {"source_id": "a", "reason": "b\0"}, "reason"),
        ("/v1/validate_memory", {"source_id": "a\0"}, "source_id"),
        ("/v1/validate_memory", {"current_source_hash": {"a\0": "b"}}, "current_source_hash"),
    ],
)
def test_fc41_a_nul_is_refused_by_the_name_of_its_field(cast, path, body, field):
    assert told(post(cast.ada, path, body)) == (400, "invalid", field)


@pytest.mark.parametrize("path", ["/v1/records/%00", "/v1/records/%ff%fe", "/v1/records/%ed%a0%bd/restore", "/v1/%00"])
def test_fc41_odd_bytes_in_an_address_lead_nowhere(cast, path):
    assert told(get(cast.ada, path))[0] in (404, 405)


@pytest.mark.parametrize(
    "text", ["\\ud83d\\ude80", "\\\\u0000", "\\u202e\\u200b\\ufeff", "\\ufffe\\uffff", "\\u0001\\u001f"]
)
def test_fc41_what_only_looks_odd_is_stored_and_given_back_unchanged(cast, text):
    body = b'{"content": "x %s y"}' % text.encode()
    kept = post(cast.ada, "/v1/remember", body)
    assert kept.status_code == 201
    assert get(cast.ada, f"/v1/records/{kept.json()['id']}").json()["content"] == json.loads(body)["content"]


@pytest.mark.parametrize("name", ["project", "organization", "author", "status", "created_at", "id", "forgotten_at"])
def test_fc27_what_the_server_owns_is_refused_by_name_and_nothing_is_touched(cast, name):
    first = post(cast.ada, "/v1/remember", {"content": "first"}).json()
    refused = post(cast.ada, "/v1/remember", {"content": "x", name: first["id"]})
    assert told(refused) == (400, "invalid", name)
    assert (get(cast.ada, f"/v1/records/{first['id']}").json()["content"], stored(cast)) == ("first", 1)


def test_fc27_no_header_moves_a_write_to_another_project_or_author(cast):
    headers = {"X-Project": "gemini", "X-Organization": str(cast.elsewhere.id), "X-User": str(cast.ben.user.id)}
    kept = post(cast.ada, "/v1/remember", {"content": "x"}, **headers).json()
    assert (kept["project"], kept["author"]) == (str(cast.project.id), str(cast.ada.user.id))


@pytest.mark.parametrize(
    ("path", "body", "nearest"),
    [
        ("/v1/remember", {"contnt": "x"}, "content"),
        ("/v1/remember", {"content": "x", "factkey": "a"}, "fact_key"),
        ("/v1/search", {"query": "x", "limitt": 3}, "limit"),
        ("/v1/forget", {"memoryid": "x"}, "memory_id"),
        ("/v1/validate_memory", {"source": "x"}, "source_id"),
        ("/v1/search", {"query": "x", "zzzzzzzz": 3}, None),
    ],
)
def test_an_unknown_field_is_named_with_the_nearest_declared_one(cast, path, body, nearest):
    refused = post(cast.ada, path, body)
    named = [name for name in body if name not in {"content", "query"}]
    assert (told(refused), refused.json().get("nearest")) == ((400, "invalid", named[0]), nearest)


def test_null_means_omitted(cast):
    nulls = dict.fromkeys(["workspace", "scope", "fact_key", "confidence", "derived_from", "tags", "metadata"])
    kept = post(cast.ada, "/v1/remember", {"content": "x", **nulls}).json()
    shown = (kept["workspace"], kept["scope"], kept["fact_key"], kept["confidence"], kept["tags"], kept["metadata"])
    assert shown == ("default", "shared", None, 0.5, [], {})
    assert told(post(cast.ada, "/v1/remember", {"content": None})) == (400, "invalid", "content")


@pytest.mark.parametrize(
    ("path", "body", "field"),
    [
        ("/v1/search", {"query": ""}, "query"),
        ("/v1/search", {"query": "   "}, "query"),
        ("/v1/search", {"query": "a" * 2_001}, "query"),
        *[
            ("/v1/search", {"query": "x", "limit": limit}, "limit")
            for limit in (0, -1, 51, 1_000_001, "ten", 1.5, True)
        ],
        *[("/v1/search", {"query": "x", "limit": 10**n}, "limit") for n in (19, 400)],
        *[("/v1/search", {"query": "x", "cursor": cursor}, "cursor") for cursor in ("", "abc", "e30", "W10=", 7)],
        ("/v1/search", {"query": "x", "min_confidence": 2}, "min_confidence"),
        ("/v1/search", {"query": "x", "status": "verified"}, "status"),
        ("/v1/search", {"query": "x", "workspace": ""}, "workspace"),
        ("/v1/forget", {}, "node_id"),
        ("/v1/forget", {"source_id": "*"}, "source_id"),
        ("/v1/forget", {"source_id": "%"}, "source_id"),
        ("/v1/forget", {"action": "restore", "source_id": "docs/a.md"}, "memory_id"),
        ("/v1/validate_memory", {}, "source_id"),
    ],
)
def test_a_value_out_of_its_range_is_refused_and_never_clamped(cast, path, body, field):
    assert told(post(cast.ada, path, body)) == (400, "invalid", field)


@pytest.mark.parametrize(
    ("since", "found"),
    [
        ("2026-03-01T01:00:00+03:00", True),
        ("2026-02-28T22:00:00Z", True),
        ("2026-02-28T17:00:00-05:00", True),
        ("2026-02-28T22:00:00", True),
        ("2026-02-28", True),
        ("2026-03-01T00:00:00", False),
        ("2026-03-01", False),
        ("2026-03-01 01:00:00.281+03", True),
        ("2026-02-28T23:30:00+01:00", True),
        ("2026-02-28T22:30:00.000001Z", False),
    ],
)
@pytest.mark.parametrize("zone", ["UTC", "Asia/Shanghai"])
def test_fc43_equal_instants_find_the_same_whatever_the_servers_zone(cast, settings, since, found, zone):
    settings.TIME_ZONE = zone
    kept = post(cast.ada, "/v1/remember", {"content": "quokka"}).json()
    with acting_for(cast.organization.id):
        Record.objects.filter(id=kept["id"]).update(created_at="2026-02-28T22:30:00Z")
    results = post(cast.ada, "/v1/search", {"query": "quokka", "created_from": since}).json()["results"]
    assert [record["id"] for record in results] == ([kept["id"]] if found else [])
    assert [record["created_at"] for record in results] == (["2026-02-28T22:30:00Z"] if found else [])


@pytest.mark.parametrize(
    "since",
    [
        "1772319600",
        "1711116000000",
        1_772_319_600,
        "yesterday",
        "2026-02-30",
        "20260301",
        "2026-W09-7",
        "2026-3-1",
        "10000-01-01",
    ],
)
def test_fc43_what_is_no_time_is_refused_by_name(cast, since):
    assert told(post(cast.ada, "/v1/search", {"query": "x", "created_from": since})) == (400, "invalid", "created_from")


@pytest.mark.parametrize("body", [{"reason": "x"}, {"force": True}, [1], "text", 7])
def test_an_address_without_parameters_takes_none(cast, body):
    kept = post(cast.ada, "/v1/remember", {"content": "x"}).json()["id"]
    post(cast.ada, "/v1/forget", {"memory_id": kept})
    assert told(post(cast.ada, f"/v1/records/{kept}/restore", body)) == (400, "invalid", "body")
    assert post(cast.ada, f"/v1/records/{kept}/restore", b"").status_code == 200
