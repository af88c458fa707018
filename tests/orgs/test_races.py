"""Several connections at the same moment, each with its own transaction."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier, Event
from time import sleep
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection

from orgs import audit
from orgs.access import caller_for_key, workspace_for_write
from orgs.errors import Refusal, Unauthenticated
from orgs.models import ApiKey, AuditEvent, Membership, Workspace
from orgs.operations.api_keys import create_child_key, revoke_key
from orgs.operations.departments import move_department
from orgs.operations.invitations import accept_invitation, invite
from orgs.operations.key_wishes import Wish
from orgs.operations.people import change_member, suspend_member
from orgs.operations.projects import create_project
from orgs.queries import audit_chain_of
from orgs.roles import Action, Role
from orgs.tenancy import acting_for, leave, together

pytestmark = pytest.mark.usefixtures("committed")


def at_the_same_moment(*acts: Callable[[], Any]) -> list[Any]:
    """Run each act in a thread with a connection of its own, and collect answers and refusals."""
    start = Barrier(len(acts))

    def run(act):
        try:
            connection.ensure_connection()
            start.wait(timeout=30)
            return act()
        except Refusal as refused:
            return refused
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as threads:
        return [task.result(timeout=60) for task in [threads.submit(run, act) for act in acts]]


def test_a_first_write_by_many_makes_one_workspace(committed_cast, now):
    caller = committed_cast.ada.by_key(now=now)

    def write():
        with acting_for(caller.organization_id):
            return workspace_for_write(caller, "first").id

    made = at_the_same_moment(*[write] * 12)
    with acting_for(caller.organization_id):
        assert set(made) == {Workspace.objects.get(name="first").id}


def test_fc52_a_revoked_key_stops_on_every_connection_at_its_next_call(committed_cast, now):
    ada, oz = committed_cast.ada, committed_cast.oz.signed_in(now=now)
    come_in = lambda: caller_for_key(ada.token, now=now).user_id  # noqa: E731
    assert at_the_same_moment(come_in, come_in) == [ada.user.id] * 2
    revoke_key(oz, ada.key.id, now=now)
    refused = at_the_same_moment(come_in, come_in)
    assert [type(answer) for answer in refused] == [Unauthenticated] * 2


def test_no_child_outlives_a_parent_revoked_while_it_was_born(committed_cast, now):
    oz = committed_cast.oz.signed_in(now=now)
    parent = committed_cast.ada.by_key(now=now)
    wish = Wish(name="Sub", actions=[Action.READ], expires_at=now + timedelta(hours=1))
    births = [lambda: create_child_key(parent, wish, now=now)] * 5
    answers = at_the_same_moment(*births, lambda: revoke_key(oz, parent.key_id, now=now))
    for born in answers[:5]:
        if not isinstance(born, Refusal):
            with pytest.raises(Unauthenticated):
                caller_for_key(born.token, now=now)


def test_two_owners_leaving_at_once_leave_one_behind(committed_cast, now):
    oz = committed_cast.oz.signed_in(now=now)
    change_member(oz, committed_cast.ada.member.id, role=Role.OWNER, now=now)
    ada = committed_cast.ada.signed_in(now=now)
    at_the_same_moment(
        lambda: suspend_member(oz, committed_cast.oz.member.id, now=now),
        lambda: suspend_member(ada, committed_cast.ada.member.id, now=now),
    )
    with acting_for(oz.organization_id):
        assert Membership.objects.filter(role=Role.OWNER, suspended_at=None).count() == 1


def test_two_moves_at_once_close_no_circle(committed_cast, now):
    oz = committed_cast.oz.signed_in(now=now)
    team, sales = committed_cast.team, committed_cast.sales
    answers = at_the_same_moment(
        lambda: move_department(oz, team.id, parent_id=sales.id, now=now),
        lambda: move_department(oz, sales.id, parent_id=team.id, now=now),
    )
    assert [isinstance(answer, Refusal) for answer in answers].count(True) == 1


def test_an_invitation_taken_twice_at_once_works_once(committed_cast, now):
    oz = committed_cast.oz.signed_in(now=now)
    guest = committed_cast.eve.user
    sent = invite(oz, email=guest.email, role=Role.MEMBER, now=now)
    answers = at_the_same_moment(*[lambda: accept_invitation(sent.token, guest, now=now)] * 4)
    assert [isinstance(answer, Refusal) for answer in answers].count(False) == 1


def test_one_short_name_wanted_by_many_goes_to_one(committed_cast, now):
    oz = committed_cast.oz.signed_in(now=now)
    answers = at_the_same_moment(*[lambda: create_project(oz, name="P", slug="wanted", now=now)] * 4)
    assert sorted(getattr(answer, "code", "made") for answer in answers) == ["clash", "clash", "clash", "made"]


def test_events_of_many_writers_make_one_whole_chain(committed_cast, now):
    caller = committed_cast.ada.by_key(now=now)

    def note():
        for _ in range(5):
            with acting_for(caller.organization_id):
                audit.note(caller, verb="remember", now=now)

    at_the_same_moment(*[note] * 8)
    chain = audit_chain_of(caller.organization_id)
    assert (chain.length, chain.broken_at) == (40, None)


def test_two_acts_that_wait_for_each_other_are_both_done(committed_cast):
    """Each takes one of two locks and then the other's: the database gives one up, which begins anew."""
    held, begun = Barrier(2), []

    def act(first, second):
        def locks():
            begun.append(first)
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_xact_lock(%s)", [first])
                if len(begun) <= 2:
                    held.wait(timeout=30)
                cursor.execute("SELECT pg_advisory_xact_lock(%s)", [second])
            return first

        return lambda: together(committed_cast.organization.id, locks)

    assert at_the_same_moment(act(71, 72), act(72, 71)) == [71, 72]
    assert sorted(begun) in ([71, 71, 72], [71, 72, 72])


def test_the_log_is_locked_only_at_the_end_of_a_transaction(committed_cast, now):
    organization, noted, over = committed_cast.organization.id, Event(), Event()

    def slow():
        with acting_for(organization):
            audit.note_in(organization, verb="slow", now=now)
            noted.set()
            assert over.wait(timeout=30)

    def quick():
        assert noted.wait(timeout=30)
        with acting_for(organization):
            audit.note_in(organization, verb="quick", now=now)
        over.set()

    at_the_same_moment(slow, quick)
    with acting_for(organization):
        verbs = AuditEvent.objects.filter(verb__in=["slow", "quick"]).order_by("number").values_list("verb", flat=True)
        assert list(verbs) == ["quick", "slow"]


def test_fc52_a_key_is_revoked_while_a_write_with_it_has_the_log(committed_cast, now):
    """What a write holds of its key at the commit is not what its revocation holds while it waits for the log."""
    ada, oz = committed_cast.ada, committed_cast.oz.signed_in(now=now)
    logged = Event()

    def write():
        with acting_for(ada.key.organization_id):
            audit.note_in(ada.key.organization_id, verb="write", now=now)
            parent = ApiKey.objects.get(id=ada.key.id)
            parent.pk, parent.public_id, parent.digest, parent.parent_id = uuid4(), "another", b"0" * 32, ada.key.id
            parent.save(force_insert=True)
            leave(logged.set)
            leave(lambda: sleep(0.5))  # the revocation has the key by then

    def revoke():
        assert logged.wait(timeout=30)
        return revoke_key(oz, ada.key.id, now=now)

    assert at_the_same_moment(write, revoke) == [None, 1]
