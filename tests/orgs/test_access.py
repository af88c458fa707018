"""From a key or a person to a caller."""

import json
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from orgs import grants, keys
from orgs.access import USE_IS_NOTED_EVERY, caller_for_key, caller_for_member, project_named, workspace_for_write
from orgs.errors import Invalid, Unauthenticated, Unknown
from orgs.models import ApiKey, AuditEvent, Membership, Organization, User, Workspace
from orgs.roles import Action, Permission, Role, Visibility
from orgs.tenancy import acting_for
from tests.factories import make_department, make_key, make_member, make_project

V, W, F, R = Permission.VIEW, Permission.WRITE, Permission.FORGET, Permission.REVIEW


def of(organization):
    return acting_for(organization.id)


def refusals(organization):
    with of(organization):
        return [json.loads(event.details)["reason"] for event in AuditEvent.objects.filter(verb="key.refused")]


# --- what a caller is ---------------------------------------------------------------------------

REACH = {
    #      reached departments           permissions    whole organization
    "ada": ({"team", "branch"}, {V, W, F, R}, True),
    "ben": ({"team", "branch"}, {V, W, F, R}, True),
    "cy": ({"sales", "branch"}, {V, W, F, R}, True),
    "hal": ({"branch", "team", "sales"}, {V, W, F, R}, True),
    "kit": (set(), {V, W, F, R}, False),
    "ann": (set(), set(), False),
    "oz": (set(), {V, W, F, R}, True),
}


@pytest.mark.parametrize("name", REACH)
def test_how_far_a_key_reaches(cast, now, name):
    person = getattr(cast, name)
    caller = person.by_key(now=now)
    departments = {getattr(cast, place).id for place in REACH[name][0]}
    assert caller.reachable_departments == departments
    assert caller.projects == {cast.project.id: REACH[name][1]}
    assert caller.reads_organization is REACH[name][2]
    assert (caller.user_id, caller.organization_id) == (person.user.id, cast.organization.id)


PROJECTS = {
    "ada": {"project"},
    "dot": {"other_project"},
    "eve": {"foreign_project"},
    "kit": {"project"},
    "ann": set(),
    "oz": {"project", "other_project"},
}


@pytest.mark.parametrize("name", PROJECTS)
def test_which_projects_a_member_sees(cast, now, name):
    expected = {getattr(cast, project).id for project in PROJECTS[name]}
    assert getattr(cast, name).signed_in(now=now).readable_projects == expected


def test_a_grant_to_a_department_holds_for_all_below_and_for_nobody_beside(cast, now):
    with of(cast.organization):
        grants.grant(V, on=cast.other_project, to=cast.branch)
        grants.grant(W, on=cast.other_project, to=cast.sales)
    held = {
        name: person.signed_in(now=now).projects.get(cast.other_project.id, frozenset())
        for name, person in cast.everybody.items()
        if name in ("ada", "cy", "hal", "kit", "ann")
    }
    assert held == {"ada": {V}, "cy": {V, W, F}, "hal": {V}, "kit": set(), "ann": set()}


def test_a_withdrawn_grant_ends_with_the_next_call(cast, now):
    assert cast.ada.by_key(now=now).may(W)
    with of(cast.organization):
        grants.withdraw(W, on=cast.project, to=cast.ada.member)
    assert cast.ada.by_key(now=now).projects == {cast.project.id: {V, R}}
    with of(cast.organization):
        grants.withdraw_all(cast.ada.member)
    assert cast.ada.by_key(now=now).projects == {cast.project.id: frozenset()}


def test_a_superuser_is_granted_nothing_by_being_one(cast, now):
    cast.ann.user.is_superuser = cast.ann.user.is_staff = True
    cast.ann.user.save()
    assert cast.ann.signed_in(now=now).projects == {}


def test_fc46_a_key_of_some_workspaces_reads_nothing_beyond_them(cast, now):
    with of(cast.organization):
        _, token = make_key(cast.ada.member, cast.project, every_workspace=False, workspaces=["alpha"])
    caller = caller_for_key(token, now=now)
    assert (caller.every_workspace, caller.workspaces, caller.reads_organization) == (False, {"alpha"}, False)


def test_a_key_with_organization_wide_reading_off_reads_only_its_project(cast, now):
    with of(cast.organization):
        _, shut = make_key(cast.ada.member, cast.project, reads_organization=False)
        _, blind = make_key(cast.ada.member, cast.project, actions=[Action.WRITE])
    assert caller_for_key(shut, now=now).reads_organization is False
    assert caller_for_key(blind, now=now).reads_organization is False
    assert caller_for_key(blind, now=now).projects == {cast.project.id: {W}}


def test_an_owners_key_is_of_one_project_only(cast, now):
    assert set(cast.oz.by_key(now=now).projects) == {cast.project.id}


VISIBILITIES = {
    # (policy's greatest, key's default, key's greatest) → (default, greatest)
    ("organization", "project", "organization"): ("project", "organization"),
    ("project", "organization", "organization"): ("project", "project"),
    ("department", "project", "project"): ("department", "department"),
    ("organization", "author", "author"): ("author", "author"),
}


@pytest.mark.parametrize("given", VISIBILITIES)
def test_a_key_gives_no_wider_visibility_than_the_organization_lets_it(cast, now, given):
    policy, default, greatest = given
    with of(cast.organization):
        Organization.objects.update(greatest_visibility_of_keys=policy)
        _, token = make_key(cast.ada.member, cast.project, default_visibility=default, greatest_visibility=greatest)
    caller = caller_for_key(token, now=now)
    assert (caller.default_visibility, caller.greatest_visibility) == VISIBILITIES[given]


def test_a_contractor_opens_nothing_to_the_organization(cast, now):
    for caller in (cast.kit.by_key(now=now), cast.kit.signed_in(now=now)):
        assert caller.greatest_visibility == Visibility.PROJECT


def test_a_heads_reach_follows_the_tree(cast, now):
    with of(cast.organization):
        deep = make_department(cast.organization, "Deep", make_department(cast.organization, "Mid", cast.team))
        chief = make_member(cast.organization, "chief", Role.HEAD, department=cast.team)
        leaf = make_member(cast.organization, "leaf", department=deep)
    reach = {
        name: caller_for_member(member.user, cast.organization.id, now=now).reachable_departments
        for name, member in {"chief": chief, "leaf": leaf}.items()
    }
    mid = deep.parent_id
    assert reach == {
        "chief": {cast.branch.id, cast.team.id, mid, deep.id},
        "leaf": {cast.branch.id, cast.team.id, mid, deep.id},
    }


# --- who is refused -----------------------------------------------------------------------------


def revoked(cast, now):
    ApiKey.objects.filter(id=cast.ada.key.id).update(revoked_at=now)


def expired(cast, now):
    ApiKey.objects.filter(id=cast.ada.key.id).update(expires_at=now)


def suspended(cast, now):
    Membership.objects.filter(id=cast.ada.member.id).update(suspended_at=now)


def over(cast, now):
    Membership.objects.filter(id=cast.ada.member.id).update(ends_at=now)


def inactive(cast, now):
    User.objects.filter(id=cast.ada.user.id).update(is_active=False)


def elsewhere(cast, now):
    ApiKey.objects.filter(id=cast.ada.key.id).update(allowed_networks=["10.0.0.0/8"])


STOPS = {
    "key_revoked": revoked,
    "key_expired": expired,
    "member_suspended": suspended,
    "term_ended": over,
    "person_inactive": inactive,
    "foreign_network": elsewhere,
}


@pytest.mark.parametrize("reason", STOPS)
def test_fc52_whatever_stops_a_key_stops_its_next_call_and_only_the_log_says_why(cast, now, reason):
    assert cast.ada.by_key(now=now).key_id == cast.ada.key.id
    with of(cast.organization):
        STOPS[reason](cast, now)
    with pytest.raises(Unauthenticated) as refused:
        cast.ada.by_key(now=now)
    assert (refused.value.detail, refused.value.data) == (Unauthenticated.title, {})
    assert refusals(cast.organization) == [reason]


def test_fc02_every_bad_key_is_answered_alike(cast, now):
    unknown, mangled = keys.mint().text, cast.ada.token[:-1]
    body = f"pal_{cast.ada.key.public_id}_{'0' * 43}"
    guessed = body + keys._checksum(body)
    said = set()
    for token in ("", "wrong-key", unknown, mangled, guessed, cast.sam.token):
        with pytest.raises(Unauthenticated) as refused:
            caller_for_key(token, now=now)
        said.add((refused.value.status, refused.value.code, refused.value.detail, refused.value.hint))
    assert len(said) == 1
    assert refusals(cast.organization) == ["wrong_secret", "member_suspended"]


def test_nobody_fills_an_organizations_log_with_refusals(cast, now):
    with of(cast.organization):
        revoked(cast, now)
        expired(cast, now)
    for seconds in (0, 1, 30, 59, 60, 61, 119, 120):
        with pytest.raises(Unauthenticated):
            cast.ada.by_key(now=now + timedelta(seconds=seconds))
    with pytest.raises(Unauthenticated):
        cast.sam.by_key(now=now + timedelta(seconds=121))
    assert refusals(cast.organization) == ["key_revoked"] * 3 + ["member_suspended"]


def test_nor_does_a_member_who_was_stopped(cast, now):
    for seconds in (0, 1, 59, 60):
        with pytest.raises(Unauthenticated):
            caller_for_member(cast.sam.user, cast.organization.id, now=now + timedelta(seconds=seconds))
    with of(cast.organization):
        assert AuditEvent.objects.filter(verb="member.refused", user_id=cast.sam.user.id).count() == 2


def test_fc45_the_log_of_a_refusal_holds_no_key(cast, now, caplog, superuser):
    with pytest.raises(Unauthenticated), caplog.at_level("DEBUG"):
        caller_for_key(cast.sam.token, now=now)
    with pytest.raises(Unauthenticated), caplog.at_level("DEBUG"):
        caller_for_key(keys.mint().text, now=now)
    with of(cast.organization):
        events = list(AuditEvent.objects.values())
    assert cast.sam.token not in f"{events} {caplog.records} {caplog.text}"
    assert "pal_" not in caplog.text


@pytest.mark.parametrize(("address", "comes_in"), [("10.9.8.7", True), ("11.0.0.1", False), ("", False), ("?", False)])
def test_a_key_bound_to_networks_works_from_there_alone(cast, now, address, comes_in):
    with of(cast.organization):
        elsewhere(cast, now)
    if comes_in:
        assert caller_for_key(cast.ada.token, now=now, address=address).user_id == cast.ada.user.id
    else:
        with pytest.raises(Unauthenticated):
            caller_for_key(cast.ada.token, now=now, address=address)


def test_fc52_expiry_is_exact(cast, now):
    with of(cast.organization):
        _, token = make_key(cast.ada.member, cast.project, expires_at=now)
    assert caller_for_key(token, now=now - timedelta(microseconds=1)).user_id == cast.ada.user.id
    with pytest.raises(Unauthenticated):
        caller_for_key(token, now=now)


def test_a_contractors_term_is_exact(cast, now):
    end = cast.kit.member.ends_at
    assert cast.kit.by_key(now=end - timedelta(microseconds=1)).role == Role.CONTRACTOR
    for come_in in (cast.kit.by_key, cast.kit.signed_in):
        with pytest.raises(Unauthenticated):
            come_in(now=end)


def test_fc52_two_keys_that_begin_alike_are_two_keys(cast, now):
    with of(cast.organization):
        first, one = make_key(cast.ada.member, cast.project)
        second, other = make_key(cast.ben.member, cast.project)
        twin = first.public_id[:8] + second.public_id[8:]
        body = f"pal_{twin}_{other.split('_')[2][:43]}"
        text = body + keys._checksum(body)
        ApiKey.objects.filter(id=second.id).update(public_id=twin, digest=keys.Key(twin, text).digest(_pepper()))
        ApiKey.objects.filter(id=first.id).update(revoked_at=now)
    assert caller_for_key(text, now=now).user_id == cast.ben.user.id
    with pytest.raises(Unauthenticated):
        caller_for_key(one, now=now)


def _pepper():
    from django.conf import settings

    return settings.KEY_PEPPER


def test_a_member_is_unknown_in_an_organization_that_is_not_theirs(cast, now):
    with pytest.raises(Unknown):
        caller_for_member(cast.eve.user, cast.organization.id, now=now)
    with pytest.raises(Unauthenticated):
        caller_for_member(cast.sam.user, cast.organization.id, now=now)


# --- what it costs ------------------------------------------------------------------------------


def test_a_call_costs_a_fixed_number_of_queries(cast, now):
    cast.ada.by_key(now=now)
    with CaptureQueriesContext(
        connection,
    ) as asked:
        cast.ada.by_key(now=now)
    looked_up = [query["sql"] for query in asked if query["sql"].lstrip().startswith("SELECT")]
    # Which organization; (nested in the test: which one before;) what the key stands for; what was granted.
    assert len(looked_up) == 4


def test_use_is_noted_at_most_once_a_minute(cast, now):
    def noted():
        with of(cast.organization):
            return ApiKey.objects.get(id=cast.ada.key.id).last_used_at

    moments = [timedelta(0), timedelta(seconds=59), USE_IS_NOTED_EVERY, timedelta(seconds=90)]
    seen = []
    for moment in moments:
        cast.ada.by_key(now=now + moment)
        seen.append(noted() - now)
    assert seen == [timedelta(0), timedelta(0), USE_IS_NOTED_EVERY, USE_IS_NOTED_EVERY]


def test_a_refused_key_counts_as_no_use(cast, now):
    with pytest.raises(Unauthenticated):
        cast.sam.by_key(now=now)
    with of(cast.organization):
        assert ApiKey.objects.get(id=cast.sam.key.id).last_used_at is None


# --- doors --------------------------------------------------------------------------------------


def test_a_workspace_comes_into_being_with_its_first_write(cast, now):
    caller = cast.ada.by_key(now=now)
    with of(cast.organization):
        first = workspace_for_write(caller, "Deploy Notes")
        again = workspace_for_write(cast.ben.by_key(now=now), "  deploy   notes ")
        assert (first, first.name, first.project_id) == (again, "deploy notes", cast.project.id)
        assert Workspace.objects.count() == 1


def test_one_name_in_two_projects_is_two_workspaces(cast, now):
    with of(cast.organization):
        mine = workspace_for_write(cast.ada.by_key(now=now), "default")
        theirs = workspace_for_write(cast.dot.by_key(now=now), "default")
    assert mine.id != theirs.id


@pytest.mark.parametrize("name", ["", "  ", "x" * 201, "a\0b", "a\u200eb", "\ud800"])
def test_what_cannot_be_a_name_is_invalid(cast, now, name):
    caller = cast.ada.by_key(now=now)
    with of(cast.organization), pytest.raises(Invalid) as refused:
        workspace_for_write(caller, name)
    assert refused.value.field == "workspace"


def test_a_workspace_outside_a_keys_list_does_not_exist_for_it(cast, now):
    with of(cast.organization):
        workspace_for_write(cast.ada.by_key(now=now), "beta")
        _, token = make_key(cast.ada.member, cast.project, every_workspace=False, workspaces=["alpha"])
        caller = caller_for_key(token, now=now)
        assert workspace_for_write(caller, "ALPHA").name == "alpha"
        for name in ("beta", "never-made"):
            with pytest.raises(Unknown) as refused:
                workspace_for_write(caller, name)
            assert refused.value.detail == "There is no such workspace here."
        assert set(Workspace.objects.values_list("name", flat=True)) == {"alpha", "beta"}


def test_who_writes_nowhere_makes_no_workspace(cast, now):
    caller = caller_for_member(cast.ada.user, cast.organization.id, now=now)
    with of(cast.organization), pytest.raises(Unknown):
        workspace_for_write(caller, "default")


def test_fc26_foreign_and_absent_projects_are_unknown_alike(cast, now):
    caller = cast.ada.signed_in(now=now)
    with of(cast.organization):
        make_project(cast.organization, "hidden")
        assert project_named(caller, "apollo").id == cast.project.id
        said = []
        for slug in ("gemini", "hidden", "never-made", "", "apollo\0"):
            with pytest.raises(Unknown) as refused:
                project_named(caller, slug)
            said.append(refused.value.detail)
    assert len(set(said)) == 1
    for project in (cast.other_project, cast.foreign_project):
        with pytest.raises(Unknown):
            caller.writing_in(project.id)
    assert caller.writing_in(cast.project.id).project_id == cast.project.id
