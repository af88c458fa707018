"""New rules reach old records: whatever they find goes from everywhere the record left a trace."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection

from archivist import scanning
from memory.models import Embedding, Errand, Record, Replay
from memory.models.outbox import ErrandKind
from memory.redaction import RULES_VERSION
from memory.verbs.running import run
from orgs.models import AuditEvent
from orgs.tenancy import SETTING
from tests.archivist.writing import Scripted, read, remember, reviewed, take
from tests.memory.writing import forget, found

SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


@pytest.fixture
def ada(cast, now):
    return cast.ada.by_key(now=now)


@pytest.fixture
def inside(ada):
    """Let the test itself see the organization; each act it calls is a transaction of its own."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config(%s, %s, true)", [SETTING, str(ada.organization_id)])


@pytest.fixture
def leaked(ada, inside, now):
    """Give a record that an older set of rules let through, with everything that hangs on it."""
    record = remember(ada, "The bot signs in with zanzibar42 on Fridays.", now=now, source_id="docs/zanzibar42.md")
    dirty = {name: getattr(record, name).replace("zanzibar42", SECRET) for name in ("content", "source_id")}
    Record.objects.filter(id=record.id).update(**dirty, tags=["ci", SECRET], metadata={"note": [SECRET]})
    Embedding.objects.create(
        record=record, organization_id=ada.organization_id, project_id=record.project_id, model="m", vector=[1.0]
    )
    Errand.objects.filter(record=record).exclude(kind="scan").delete()
    return read(ada, record.id)


def scanned(record, now):
    return scanning.scan(take(record, ErrandKind.SCAN, now=now), now=now)


def test_a_finding_leaves_no_trace(leaked, ada, now):
    later = now + timedelta(seconds=1)
    assert scanned(leaked, later)
    clean = read(ada, leaked.id)
    kept = [
        clean.content,
        clean.source_id,
        str(clean.tags),
        str(clean.metadata),
        str(clean.words),
        clean.fact_key or "",
    ]
    assert not [text for text in kept if SECRET.lower() in text.lower()]
    assert clean.content.startswith("The bot signs in with [redacted:")
    assert (clean.scanned_with, clean.updated_at) == (RULES_VERSION, later)
    assert not Embedding.objects.filter(record=leaked).exists()
    assert SECRET not in str(found(ada, SECRET, now=later)), (
        "nor is it looked for by itself: questions are redacted too"
    )


def test_a_finding_promises_a_new_vector_and_a_new_review(leaked, now):
    scanned(leaked, now)
    assert sorted(Errand.objects.filter(record=leaked).values_list("kind", flat=True)) == ["embed", "review"]


def test_a_finding_is_noted_by_its_kinds_alone(leaked, now):
    scanned(leaked, now)
    event = AuditEvent.objects.get(verb="record.scanned", object_id=str(leaked.id))
    assert '"redactions":{' in event.details
    assert SECRET not in event.details


def test_answers_kept_for_replay_that_name_the_record_go(ada, inside, now):
    payload = {"content": "The bot signs in with zanzibar42 on Fridays."}
    answer: Any = run("remember", ada, payload, now=now, idempotency_key="once").answer
    other: Any = run("remember", ada, {"content": "Another."}, now=now, idempotency_key="other").answer
    Record.objects.filter(id=answer.id).update(content=f"The bot signs in with {SECRET}.")
    scanned(read(ada, answer.id), now)
    assert [str(other.id) in str(replay.answer) for replay in Replay.objects.exclude(form="")] == [True]


def test_a_name_made_of_the_secret_goes_from_every_version_of_the_fact(leaked, ada, now):
    other = remember(ada, "The bot signs in on Mondays.", now=now)
    named = f"archivist:general:{SECRET.lower()}"
    Record.objects.filter(id__in=[leaked.id, other.id]).update(fact_key=named, fact_key_by_archivist=True)
    scanned(leaked, now)
    keys = {read(ada, leaked.id).fact_key, read(ada, other.id).fact_key}
    assert len(keys) == 1
    assert SECRET.lower() not in keys.pop()


def test_forgotten_records_are_scanned_too(leaked, ada, now):
    forget(ada, now=now, memory_id=str(leaked.id))
    scanned(leaked, now)
    assert SECRET not in read(ada, leaked.id).content


def test_the_day_of_writing_is_no_word_of_a_scanned_record(ada, inside, now):
    record = remember(ada, "The bot signs in on Fridays.", now=now)
    Record.objects.filter(id=record.id).update(content=f"The bot signs in on Fridays. {SECRET}")
    scanned(record, now)
    assert str(now.date()) not in read(ada, record.id).words


def test_what_is_clean_stays_as_it_is(ada, inside, now):
    record = remember(ada, "The bot signs in on Fridays.", now=now)
    scanned(record, now + timedelta(seconds=9))
    after = read(ada, record.id)
    assert (after.content, after.updated_at, after.scanned_with) == (record.content, record.updated_at, RULES_VERSION)
    assert Errand.objects.filter(record=record, kind="embed").count() == 1


def test_scanning_twice_changes_nothing_more(leaked, ada, now):
    scanned(leaked, now)
    first = read(ada, leaked.id)
    scanned(first, now + timedelta(seconds=1))
    second = read(ada, leaked.id)
    assert (second.content, second.updated_at) == (first.content, first.updated_at)
    assert AuditEvent.objects.filter(verb="record.scanned").count() == 1


def test_a_secret_never_becomes_a_name(leaked, ada, now):
    scanned(leaked, now)
    reviewed(read(ada, leaked.id), Scripted(), now=now)
    assert SECRET.lower() not in read(ada, leaked.id).fact_key
