"""What operators do on the command line."""

import io
import json
import sys

import pytest
from django.core.management import CommandError, call_command

from orgs.access import caller_for_key
from orgs.models import User
from orgs.queries import organizations_of


def run(command, *arguments, **options):
    out = io.StringIO()
    call_command(command, *arguments, stdout=out, **options)
    return out.getvalue()


def test_the_demo_is_made_once_and_its_secrets_told_once(db, now):
    first = json.loads(run("seed_demo", json=True))
    assert set(first) == {"email", "password", "api_key", "organization", "project", "exists"}
    assert caller_for_key(first["api_key"], now=now).may("write")
    assert User.objects.get(email=first["email"]).check_password(first["password"])
    again = run("seed_demo", json=True)
    told = {name: first[name] for name in ("email", "organization", "project")}
    assert json.loads(again) == told | {"exists": True}
    assert run("seed_demo").strip() == f"The demo organization exists already; sign in as {first['email']}."


def test_half_a_demo_is_left_alone(db):
    User.objects.create_user("demo@palimpsest.example")
    with pytest.raises(CommandError):
        run("seed_demo", json=True)


def test_an_organization_is_made_with_its_owner_and_a_key_for_it(db, now, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("correct horse battery\n"))
    run("create_org", "acme-on-line", owner="Boss@Acme.example", password_stdin=True)
    boss = User.objects.get(email="boss@acme.example")
    assert boss.check_password("correct horse battery")
    assert [place.slug for place in organizations_of(boss, now=now)] == ["acme-on-line"]
    token = run(
        "create_key", "acme-on-line", "main", owner="boss@acme.example", actions=["read"], workspaces=["a"]
    ).strip()
    caller = caller_for_key(token, now=now)
    assert (caller.may("view"), caller.may("write"), caller.workspaces) == (True, False, {"a"})
    run("create_org", "acme-again", owner="boss@acme.example")
    assert len(organizations_of(boss, now=now)) == 2


@pytest.mark.parametrize(
    ("command", "arguments", "options"),
    [
        ("create_org", ["A B"], {"owner": "x@example.org", "password_stdin": True}),
        ("create_key", ["nowhere", "main"], {"owner": "x@example.org"}),
        ("verify_audit", [], {"organization": "nowhere"}),
    ],
)
def test_what_cannot_be_done_is_said_and_leaves_nothing(db, monkeypatch, command, arguments, options):
    monkeypatch.setattr(sys, "stdin", io.StringIO("correct horse battery\n"))
    with pytest.raises(CommandError):
        run(command, *arguments, **options)
    assert not User.objects.filter(email="x@example.org").exists()


def test_a_weak_password_is_refused(db, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO("12345678\n"))
    with pytest.raises(CommandError):
        run("create_org", "weak", owner="x@example.org", password_stdin=True)
