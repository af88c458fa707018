"""Issuing keys, replacing them and ending them."""

from dataclasses import replace
from datetime import timedelta

import pytest

from orgs import keys
from orgs.access import caller_for_key
from orgs.errors import Clash, Forbidden, Invalid, Unauthenticated, Unknown
from orgs.models import ApiKey, AuditEvent
from orgs.operations.api_keys import create_child_key, create_key, revoke_key, rotate_key
from orgs.operations.key_wishes import Wish
from orgs.operations.organizations import change_policies
from orgs.operations.projects import grant
from orgs.roles import Action, Permission, Visibility
from orgs.tenancy import acting_for
from tests.factories import make_key

EVERYTHING = Wish(name="Agent", actions=list(Action))


@pytest.fixture
def oz(cast, now):
    return cast.oz.signed_in(now=now)


@pytest.fixture
def issued(cast, oz, now):
    """A key of two workspaces that may do all but review, for thirty days."""
    wish = Wish(
        name="Agent",
        actions=[Action.READ, Action.WRITE, Action.FORGET],
        workspaces=["Alpha", "beta"],
        greatest_visibility=Visibility.PROJECT,
        allowed_networks=["10.0.0.0/8"],
        calls_per_minute=60,
        expires_at=now + timedelta(days=30),
    )
    return create_key(oz, wish, project_id=cast.project.id, now=now)


def come_in(token, now):
    return caller_for_key(token, now=now, address="10.1.2.3")


def works(token, now):
    try:
        return bool(come_in(token, now))
    except Unauthenticated:
        return False


def test_an_issued_key_comes_in_with_what_was_wished(cast, issued, now):
    caller = come_in(issued.token, now)
    assert caller.projects == {cast.project.id: {Permission.VIEW, Permission.WRITE, Permission.FORGET}}
    assert (caller.workspaces, caller.every_workspace) == ({"alpha", "beta"}, False)
    assert (caller.default_visibility, caller.greatest_visibility) == ("project", "project")


def test_fc45_a_keys_text_is_kept_nowhere(cast, issued, superuser):
    with acting_for(cast.organization.id):
        stored = str(list(ApiKey.objects.values())) + str(list(AuditEvent.objects.values()))
    assert issued.token not in stored
    assert issued.token.split("_")[2] not in stored
    assert keys.parse(issued.token).public_id == issued.key.public_id


WRONG = {
    "actions": {"actions": []},
    "expires_at": {"expires_at": timedelta(0)},
    "calls_per_minute": {"calls_per_minute": 0},
    "workspaces": {"workspaces": ["fine", " "]},
    "allowed_networks": {"allowed_networks": ["10.0.0.1/8"]},
    "name": {"name": "\0"},
    "default_visibility": {
        "default_visibility": Visibility.ORGANIZATION,
        "greatest_visibility": Visibility.PROJECT,
    },
}


@pytest.mark.parametrize("field", WRONG)
def test_a_wish_that_makes_no_sense_is_invalid_and_named(cast, oz, now, field):
    wrong = {name: now + value if isinstance(value, timedelta) else value for name, value in WRONG[field].items()}
    with pytest.raises(Invalid) as refused:
        create_key(oz, replace(EVERYTHING, **wrong), project_id=cast.project.id, now=now)
    assert refused.value.field == field


def test_no_key_gives_more_than_the_organizations_policy(cast, oz, now):
    change_policies(oz, greatest_visibility_of_keys="project", default_visibility_of_keys="organization", now=now)
    with pytest.raises(Invalid) as refused:
        create_key(
            oz,
            replace(EVERYTHING, greatest_visibility=Visibility.ORGANIZATION),
            project_id=cast.project.id,
            now=now,
        )
    assert refused.value.field == "greatest_visibility"
    issued = create_key(oz, EVERYTHING, project_id=cast.project.id, now=now)
    assert (issued.key.default_visibility, issued.key.greatest_visibility) == ("project", "project")


def test_a_manager_issues_keys_for_themselves_and_administrators_for_others(cast, oz, now):
    with pytest.raises(Forbidden):
        create_key(cast.ada.signed_in(now=now), EVERYTHING, project_id=cast.project.id, now=now)
    grant(oz, Permission.MANAGE, project_id=cast.project.id, member_id=cast.ada.member.id, now=now)
    ada = cast.ada.signed_in(now=now)
    mine = create_key(ada, EVERYTHING, project_id=cast.project.id, now=now)
    assert come_in(mine.token, now).user_id == cast.ada.user.id
    with pytest.raises(Forbidden):
        create_key(ada, EVERYTHING, project_id=cast.project.id, owner_id=cast.ben.member.id, now=now)
    with pytest.raises(Forbidden):
        create_key(ada, EVERYTHING, project_id=cast.other_project.id, now=now)
    theirs = create_key(oz, EVERYTHING, project_id=cast.project.id, owner_id=cast.ben.member.id, now=now)
    assert come_in(theirs.token, now).user_id == cast.ben.user.id


def test_fc26_foreign_projects_and_owners_are_unknown(cast, oz, now):
    for place in (
        {"project_id": cast.foreign_project.id},
        {"project_id": cast.project.id, "owner_id": cast.eve.member.id},
    ):
        with pytest.raises(Unknown):
            create_key(oz, EVERYTHING, now=now, **place)
    with pytest.raises(Unknown):
        revoke_key(oz, cast.eve.key.id, now=now)


# --- keys of keys --------------------------------------------------------------------------------

WIDER = {
    "actions": {"actions": [Action.READ, Action.REVIEW]},
    "workspaces": {"workspaces": ["alpha", "gamma"]},
    "greatest_visibility": {"greatest_visibility": Visibility.ORGANIZATION},
    "allowed_networks": {"allowed_networks": ["10.1.0.0/16", "0.0.0.0/0"]},
    "calls_per_minute": {"calls_per_minute": 61},
    "expires_at": {"expires_at": timedelta(days=31)},
}


@pytest.mark.parametrize("field", WIDER)
def test_a_child_key_is_never_wider(cast, issued, now, field):
    wider = {name: now + value if isinstance(value, timedelta) else value for name, value in WIDER[field].items()}
    with pytest.raises(Invalid) as refused:
        create_child_key(come_in(issued.token, now), replace(Wish(name="Sub", actions=[Action.READ]), **wider), now=now)
    assert refused.value.field == field


def test_what_a_child_key_leaves_out_it_takes_from_its_parent(cast, issued, now):
    child = create_child_key(come_in(issued.token, now), Wish(name="Sub", actions=[Action.READ]), now=now)
    kept = ("workspaces", "every_workspace", "greatest_visibility", "allowed_networks", "calls_per_minute")
    assert [getattr(child.key, name) for name in kept] == [getattr(issued.key, name) for name in kept]
    assert child.key.expires_at == issued.key.expires_at
    caller = come_in(child.token, now)
    assert caller.projects == {cast.project.id: {Permission.VIEW}}
    assert caller.user_id == cast.oz.user.id


def test_a_child_of_an_endless_key_has_an_end(cast, now):
    for ends_at in (None, now + timedelta(hours=1)):
        wish = Wish(name="Sub", actions=[Action.READ], expires_at=ends_at)
        if ends_at is None:
            with pytest.raises(Invalid):
                create_child_key(cast.ada.by_key(now=now), wish, now=now)
        else:
            assert create_child_key(cast.ada.by_key(now=now), wish, now=now).key.expires_at == ends_at


def test_a_child_of_a_key_that_reads_only_its_project_does_so_too(cast, now):
    with acting_for(cast.organization.id):
        _, token = make_key(cast.ada.member, cast.project, reads_organization=False, expires_at=now + timedelta(days=1))
    parent = caller_for_key(token, now=now)
    child = create_child_key(parent, Wish(name="Sub", actions=[Action.READ]), now=now)
    assert caller_for_key(child.token, now=now).reads_organization is False
    with pytest.raises(Invalid):
        create_child_key(parent, Wish(name="Sub", actions=[Action.READ], reads_organization=True), now=now)


def test_only_a_key_issues_keys_of_its_own(cast, oz, now):
    with pytest.raises(Forbidden):
        create_child_key(oz, Wish(name="Sub", actions=[Action.READ]), now=now)


# --- ending and replacing ------------------------------------------------------------------------


@pytest.fixture
def family(cast, issued, now):
    """A key, its child, and its child's child."""
    child = create_child_key(come_in(issued.token, now), Wish(name="Sub", actions=[Action.READ]), now=now)
    last = create_child_key(come_in(child.token, now), Wish(name="Sub sub", actions=[Action.READ]), now=now)
    return issued, child, last


def test_fc52_a_revoked_key_takes_along_all_that_it_issued(cast, oz, family, now):
    assert [works(one.token, now) for one in family] == [True, True, True]
    assert revoke_key(oz, family[1].key.id, now=now) == 2
    assert [works(one.token, now) for one in family] == [True, False, False]
    assert revoke_key(oz, family[0].key.id, now=now) == 1
    assert [works(one.token, now) for one in family] == [False, False, False]


def test_a_key_revokes_its_children_and_nothing_else(cast, oz, family, now):
    parent, child, last = family
    other = create_key(oz, EVERYTHING, project_id=cast.project.id, now=now)
    by = come_in(parent.token, now)
    for not_mine in (other, last, parent):
        with pytest.raises(Unknown):
            revoke_key(by, not_mine.key.id, now=now)
    assert revoke_key(by, child.key.id, now=now) == 2


def test_who_may_revoke_a_key(cast, now):
    able = {}
    for name in ("ben", "hal", "ann", "ada"):
        try:
            revoke_key(getattr(cast, name).signed_in(now=now), cast.ada.key.id, now=now)
            able[name] = True
        except Unknown:
            able[name] = False
    assert able == {"ben": False, "hal": False, "ann": False, "ada": True}


def test_fc52_a_rotated_key_works_through_the_overlap_and_no_longer(cast, oz, family, now):
    old = family[0]
    overlap = timedelta(hours=1)
    new = rotate_key(oz, old.key.id, overlap=overlap, now=now)
    before, end = now + overlap - timedelta(microseconds=1), now + overlap
    assert [works(one.token, before) for one in (*family, new)] == [True, True, True, True]
    assert [works(one.token, end) for one in (*family, new)] == [False, False, False, True]
    assert come_in(new.token, now).projects == come_in(old.token, now).projects
    assert new.key.expires_at == now + timedelta(days=30)


def test_fc52_without_overlap_the_old_key_ends_at_once(cast, oz, issued, now):
    new = rotate_key(oz, issued.key.id, overlap=timedelta(0), now=now)
    assert [works(issued.token, now), works(new.token, now)] == [False, True]


def test_an_overlap_never_lengthens_a_keys_life(cast, oz, issued, now):
    late = issued.key.expires_at - timedelta(hours=1)
    rotate_key(oz, issued.key.id, overlap=timedelta(days=30), now=late)
    assert works(issued.token, issued.key.expires_at) is False


def test_a_rotated_child_ends_with_its_parent(cast, family, now):
    parent, child, _ = family
    later = now + timedelta(days=20)
    new = rotate_key(come_in(parent.token, later), child.key.id, overlap=timedelta(0), now=later)
    assert (new.key.parent_id, new.key.expires_at) == (parent.key.id, parent.key.expires_at)


def test_what_ended_or_was_replaced_is_not_replaced_again(cast, oz, issued, now):
    rotate_key(oz, issued.key.id, overlap=timedelta(hours=1), now=now)
    with pytest.raises(Clash):
        rotate_key(oz, issued.key.id, overlap=timedelta(hours=1), now=now)
    other = create_key(oz, EVERYTHING, project_id=cast.project.id, now=now)
    revoke_key(oz, other.key.id, now=now)
    with pytest.raises(Clash):
        rotate_key(oz, other.key.id, overlap=timedelta(hours=1), now=now)
    for overlap in (timedelta(seconds=-1), timedelta(days=31)):
        with pytest.raises(Invalid):
            rotate_key(oz, issued.key.id, overlap=overlap, now=now)
