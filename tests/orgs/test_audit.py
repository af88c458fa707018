"""The audit log: whole, unchangeable, silent about secrets."""

import json
from contextlib import suppress
from types import SimpleNamespace

import pytest
from django.core.management import CommandError, call_command
from django.db import ProgrammingError, connection

from orgs import audit, audit_chain
from orgs.models import AuditEvent
from orgs.queries import audit_chain_of
from orgs.tenancy import acting_for

COVERED = ["at", "verb", "user_id", "key_id", "object_type", "object_id", "details", "request_id", "address"]


def events(organization):
    with acting_for(organization.id):
        return list(AuditEvent.objects.filter(organization=organization).order_by("number"))


@pytest.fixture
def noted(cast, now):
    """Three events of one organization, with characters that hashing could trip over."""
    caller = cast.ada.by_key(now=now)
    with acting_for(cast.organization.id), audit.coming_from(request_id="r-1", address="10.0.0.1"):
        audit.note(caller, verb="remember", object_id="1", now=now)
        audit.note(
            caller, verb="forget", object_id='"\\/\u2028é漢😀\x7f', now=now, details={"b": [1, None], "a": "ж\n"}
        )
        audit.note_in(cast.organization.id, verb="purge", now=now)
    return events(cast.organization)


def test_every_event_carries_the_digest_of_the_one_before(cast, noted):
    assert [event.number for event in noted] == [1, 2, 3]
    assert [event.previous_digest for event in noted] == ["", noted[0].digest, noted[1].digest]
    assert [audit_chain.digest_of(event) for event in noted] == [event.digest for event in noted]
    assert audit_chain_of(cast.organization.id) == audit_chain.Chain(3, noted[2].digest, None)


def test_an_event_says_who_did_what_from_where(cast, noted, now):
    first, second, third = noted
    assert (first.user_id, first.key_id, first.verb, first.object_id, first.at) == (
        *(cast.ada.user.id, cast.ada.key.id, "remember", "1"),
        now,
    )
    assert (first.request_id, first.address) == ("r-1", "10.0.0.1")
    assert json.loads(second.details) == {"b": [1, None], "a": "ж\n"}
    assert (third.user_id, third.key_id) == (None, None)


def test_organizations_have_chains_of_their_own(cast, noted, now):
    with acting_for(cast.elsewhere.id):
        audit.note_in(cast.elsewhere.id, verb="purge", now=now)
    assert [event.number for event in events(cast.elsewhere)] == [1]
    with acting_for(cast.organization.id):
        assert AuditEvent.objects.filter(organization=cast.elsewhere).count() == 0


@pytest.mark.parametrize("field", COVERED)
def test_any_changed_field_breaks_the_chain_there(noted, field):
    forged = [SimpleNamespace(**{name: getattr(event, name) for name in fields()}) for event in noted]
    value = getattr(forged[1], field)
    setattr(forged[1], field, value.replace(year=2001) if field == "at" else f"{value}x")
    assert audit_chain.walk(forged).broken_at == 2


def fields():
    return [field.attname for field in AuditEvent._meta.local_fields]


TAMPERING = {
    "cut out of the middle": lambda rows: [rows[0], rows[2]],
    "cut off the beginning": lambda rows: rows[1:],
    "put in another order": lambda rows: [rows[1], rows[0], rows[2]],
    "told twice": lambda rows: [rows[0], rows[0], rows[1]],
}


@pytest.mark.parametrize("how", TAMPERING)
def test_a_missing_or_moved_event_breaks_the_chain(noted, how):
    assert audit_chain.walk(TAMPERING[how](noted)).broken_at is not None


def test_a_forged_event_does_not_fit_though_its_own_digest_does(noted):
    forged = SimpleNamespace(**{name: getattr(noted[1], name) for name in fields()})
    forged.verb = "something else"
    forged.digest = audit_chain.digest_of(forged)
    assert audit_chain.walk([noted[0], forged, noted[2]]).broken_at == 3


@pytest.mark.parametrize("statement", ["UPDATE orgs_auditevent SET verb = 'x'", "DELETE FROM orgs_auditevent"])
def test_the_runtime_role_edits_no_event(cast, noted, statement):
    with pytest.raises(ProgrammingError, match="append-only"), acting_for(cast.organization.id):
        connection.cursor().execute(statement)
    assert len(events(cast.organization)) == 3


def test_the_database_numbers_and_chains_whatever_the_writer_says(cast, noted, now):
    with acting_for(cast.organization.id):
        AuditEvent.objects.create(
            organization=cast.organization, at=now, verb="x", number=1, previous_digest="", digest="f" * 64
        )
    chain = audit_chain_of(cast.organization.id)
    assert (chain.length, chain.broken_at) == (4, None)


def test_a_broken_log_fails_the_command_that_checks_it(committed_cast, now, superuser, capsys):
    caller = committed_cast.ada.by_key(now=now)
    slug = committed_cast.organization.slug
    for verb in ("remember", "forget"):
        with acting_for(committed_cast.organization.id):
            audit.note(caller, verb=verb, now=now)
    call_command("verify_audit", organization=slug)
    assert capsys.readouterr().out.split()[1:] == ["2", events(committed_cast.organization)[1].digest, "whole"]

    superuser.execute("UPDATE orgs_auditevent SET verb = 'search' WHERE key_id = %s AND number = 1", [caller.key_id])
    superuser.commit()
    with pytest.raises(CommandError, match="1 of 1 audit logs are broken"):
        call_command("verify_audit", organization=slug)
    assert "BROKEN at event 1" in capsys.readouterr().out


def test_long_details_are_left_out_and_control_characters_dropped(cast, now):
    with acting_for(cast.organization.id), audit.coming_from(request_id="a\nb\0c" + "x" * 500, address="::1"):
        audit.note_in(cast.organization.id, verb="x", now=now, details={"much": "x" * 20_000})
    (event,) = events(cast.organization)
    assert json.loads(event.details) == {"left_out": "too long"}
    assert event.request_id == "abc" + "x" * 195


def test_the_log_speaks_of_a_place_only_while_it_lasts(cast, now):
    with acting_for(cast.organization.id):
        with audit.coming_from(request_id="r"):
            audit.note_in(cast.organization.id, verb="x", now=now)
        audit.note_in(cast.organization.id, verb="x", now=now)
    assert [event.request_id for event in events(cast.organization)] == ["r", ""]


def test_what_is_undone_within_a_transaction_is_not_noted(cast, now):
    organization = cast.organization.id
    with acting_for(organization):
        audit.note_in(organization, verb="kept", now=now)
        with suppress(LookupError), acting_for(organization):
            audit.note_in(organization, verb="undone", now=now)
            raise LookupError
        with acting_for(organization):
            audit.note_in(organization, verb="kept too", now=now)
    assert [event.verb for event in events(cast.organization)] == ["kept", "kept too"]


def test_nothing_is_noted_outside_an_organizations_transaction(cast, now):
    with pytest.raises(LookupError, match="acting_for"):
        audit.note_in(cast.organization.id, verb="nowhere", now=now)
