"""A secret that is sent anywhere is found nowhere: not in tables, answers, logs."""

import json
import logging

import psycopg
import pytest
from psycopg import sql

from config.logging import JSONLines
from memory.models import Errand, Record, Replay
from orgs.models import AuditEvent
from orgs.tenancy import acting_for
from tests.memory.api.calling import post, told

HEART = "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
TOKEN = "ghp_" + HEART


def tables_that_hold(text: str, database: psycopg.Connection) -> list[str]:
    """Look through every column of every row of every table."""
    names = database.execute("SELECT format('%I.%I', schemaname, tablename) FROM pg_tables WHERE schemaname = 'public'")
    return [
        name
        for (name,) in names.fetchall()
        if database.execute(
            sql.SQL("SELECT EXISTS (SELECT FROM {} t WHERE t::text ILIKE %s)").format(sql.SQL(name)), [f"%{text}%"]
        ).fetchone()
        == (True,)
    ]


FIELDS = {
    "content": f"the token is {TOKEN}",
    "workspace": f"w {TOKEN}",
    "scope": f"s {TOKEN}",
    "source": f"agent {TOKEN}",
    "source_id": f"https://example.org/cb?token={TOKEN}",
    "source_revision": TOKEN,
    "source_hash": TOKEN,
    "fact_key": f"token.{TOKEN}",
    "tags": ["plain", TOKEN],
    "content_kind": TOKEN,
    "layer": TOKEN,
    "relation": TOKEN,
    "session": TOKEN,
    "verification_basis": f"seen in {TOKEN}",
    "condition_space": TOKEN,
    "non_applicable_conditions": TOKEN,
    "metadata": {"deep": [{"list": [TOKEN]}], TOKEN: "as a key"},
}


def test_every_text_that_can_be_remembered_is_tried_here():
    from memory.protocol.shapes import RememberInputs

    texts = set(FIELDS) | {"confidence", "derived_from", "visibility", "importance", "depends_on"}
    assert set(RememberInputs.model_fields) == texts | {"valid_from", "valid_until", "observed_at"}


@pytest.mark.parametrize("field", FIELDS)
def test_fc09_a_secret_in_any_field_is_stored_nowhere_and_said_nowhere(service, committed_cast, superuser, field):
    answered = service.call(committed_cast.ada, "remember", {"content": "x", field: FIELDS[field]})
    assert answered.status == 201
    assert (sum(answered.json()["redactions"].values()) >= 1, HEART in answered.data.decode()) == (True, False)
    assert (tables_that_hold(HEART, superuser), HEART in service.log) == ([], False)


def test_fc09_a_secret_in_a_reason_a_key_of_idempotency_or_a_question_is_stored_nowhere(
    service, committed_cast, superuser
):
    ada = committed_cast.ada
    kept = service.call(ada, "remember", {"content": "x"}, **{"Idempotency-Key": TOKEN}).json()["id"]
    answers = [
        service.call(ada, "remember", {"content": "x"}, **{"Idempotency-Key": TOKEN}),
        service.call(ada, "search", {"query": f"what is {TOKEN}"}),
        service.call(ada, "validate_memory", {"source_id": f"https://example.org/?token={TOKEN}"}),
        service.call(ada, "forget", {"memory_id": kept, "reason": f"leaks {TOKEN}"}, **{"X-Request-Id": TOKEN}),
        service.call(ada, "forget", {"source_id": f"https://example.org/?token={TOKEN}"}),
        service.ask("GET", f"/v1/records/{TOKEN}", headers=ada.headers),
    ]
    assert [answer.status for answer in answers] == [201, 200, 200, 200, 200, 404]
    assert [HEART in answer.data.decode() for answer in answers] == [False] * 6
    assert (tables_that_hold(HEART, superuser), HEART in service.log) == ([], False)


def test_fc09_a_source_with_a_secret_in_it_is_found_again_by_the_same_address(cast):
    address = f"https://example.org/cb?token={TOKEN}"
    kept = post(cast.ada, "/v1/remember", {"content": "quokka", "source_id": address}).json()
    assert [
        post(cast.ada, "/v1/search", {"query": "quokka", "source_id": address}).json()["results"][0]["id"],
        post(cast.ada, "/v1/validate_memory", {"source_id": address}).json()["records"][0]["id"],
        post(cast.ada, "/v1/forget", {"source_id": address}).json()["count"],
    ] == [kept["id"], kept["id"], 1]


@pytest.mark.parametrize("session", ["9f86d081884c7d659a2feaa0c55ad015", "7d0c4b1e9fa2836d5510be47c3a98e6f2b14d07a"])
def test_the_name_of_a_parameter_makes_no_secret_of_its_value(cast, session):
    kept = post(cast.ada, "/v1/remember", {"content": "x", "session": session}).json()
    assert (kept["session"], kept["redactions"]) == (session, {})


@pytest.mark.parametrize(
    "body",
    [
        {"content": TOKEN, "confidence": 7},
        {"content": "x", "confidence": TOKEN},
        {"content": "x", TOKEN: 1},
        {"content": "x", "metadata": {TOKEN: "\0"}},
        {"content": "x", "derived_from": [TOKEN]},
        {"content": "x", "visibility": TOKEN},
        {"content": "x", "valid_from": TOKEN},
        {"content": "x", "tags": TOKEN},
        [TOKEN],
        f'{{"content": "{TOKEN}',
    ],
)
def test_fc45_a_refusal_says_no_value_back(cast, body):
    refused = post(cast.ada, "/v1/remember", body)
    assert (told(refused)[0], HEART in refused.content.decode()) == (400, False)


class Kept(logging.Handler):
    """Keeps the lines that a log would hold."""

    def __init__(self) -> None:
        super().__init__()
        self.setFormatter(JSONLines())
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep one."""
        self.lines.append(self.format(record))


@pytest.fixture
def lines():
    kept = Kept()
    logging.getLogger().addHandler(kept)
    yield kept.lines
    logging.getLogger().removeHandler(kept)


@pytest.mark.parametrize("fault", [RuntimeError, KeyError, ValueError, UnicodeDecodeError, ExceptionGroup])
def test_fc45_a_fault_in_the_middle_of_a_write_tells_nothing_and_leaves_nothing(cast, lines, monkeypatch, fault):
    def fail(*_, **__):
        if fault is UnicodeDecodeError:
            raise UnicodeDecodeError("utf-8", TOKEN.encode(), 0, 1, TOKEN)
        raise ExceptionGroup(TOKEN, [ValueError(TOKEN)]) if fault is ExceptionGroup else fault(TOKEN)

    monkeypatch.setattr("memory.verbs.remember.note", fail)
    failed = post(cast.ada, "/v1/remember", {"content": "quokka"}, Idempotency_Key="once")
    assert told(failed) == (500, "fault", None)
    assert ([line for line in lines if HEART in line or "quokka" in line], HEART in failed.content.decode()) == (
        [],
        False,
    )
    assert [json.loads(line)["exception"] for line in lines if "fault" in json.loads(line)] == [fault.__name__]


def test_fc36_a_write_that_fails_at_its_end_leaves_no_record_no_errand_no_audit_and_burns_no_key(cast, monkeypatch):
    def count():
        with acting_for(cast.organization.id):
            return [model.objects.count() for model in (Record, Errand, AuditEvent, Replay)]

    before = count()
    with monkeypatch.context() as broken:
        broken.setattr("memory.verbs.remember.note", lambda *_, **__: 1 / 0)
        failed = post(cast.ada, "/v1/remember", {"content": "quokka"}, Idempotency_Key="once")
    assert (failed.status_code, count()) == (500, before)
    assert post(cast.ada, "/v1/remember", {"content": "quokka"}, Idempotency_Key="once").status_code == 201
