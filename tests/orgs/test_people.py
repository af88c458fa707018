"""Who comes, what they become, and who goes."""

from datetime import timedelta

import pytest
from django.db import IntegrityError

from orgs.errors import Clash, Forbidden, Invalid, Unauthenticated, Unknown, Unprocessable
from orgs.models import AuditEvent, Invitation, Membership, User
from orgs.operations.invitations import accept_invitation, invite
from orgs.operations.organizations import change_policies, create_organization
from orgs.operations.people import (
    add_member,
    change_member,
    reinstate_member,
    suspend_member,
    withdraw_everything,
)
from orgs.operations.projects import create_project, grant, withdraw
from orgs.queries import organizations_of
from orgs.roles import Duty, Permission, Role
from orgs.tenancy import acting_for
from tests.factories import make_department, make_member, make_user


@pytest.fixture
def oz(cast, now):
    return cast.oz.signed_in(now=now)


@pytest.fixture
def al(cast, now):
    """An administrator who owns nothing."""
    with acting_for(cast.organization.id):
        member = make_member(cast.organization, "al", Role.ADMIN)
    from orgs.access import caller_for_member

    return caller_for_member(member.user, cast.organization.id, now=now)


def verbs(organization):
    with acting_for(organization.id):
        return list(AuditEvent.objects.order_by("number").values_list("verb", flat=True))


def test_an_organization_begins_with_its_owner(db, now):
    owner = make_user()
    member = create_organization(name="Acme", slug="acme-of-test", owner=owner, now=now)
    assert [(place.slug, place.role) for place in organizations_of(owner, now=now)] == [("acme-of-test", Role.OWNER)]
    with pytest.raises(Clash):
        create_organization(name="Other", slug="acme-of-test", owner=owner, now=now)
    assert verbs(member.organization) == ["organization.create"]


@pytest.mark.parametrize("slug", ["", "-a", "a-", "A", "a_b", "a b", "x" * 64, "é", "a\n"])
def test_a_short_name_is_plain(db, now, slug):
    with pytest.raises(Invalid):
        create_organization(name="Acme", slug=slug, owner=make_user(), now=now)


def test_members_of_several_organizations_see_each_by_itself(cast, oz, now):
    add_member(oz, cast.eve.user, role=Role.MEMBER, now=now)
    places = [place.id for place in organizations_of(cast.eve.user, now=now)]
    assert places == [cast.elsewhere.id, cast.organization.id]
    from orgs.access import caller_for_member

    assert caller_for_member(cast.eve.user, cast.organization.id, now=now).projects == {}
    assert cast.eve.by_key(now=now).organization_id == cast.elsewhere.id


def test_one_membership_a_person(cast, oz, now):
    with pytest.raises(Clash):
        add_member(oz, cast.ada.user, role=Role.ADMIN, now=now)


TERMS = [
    # role, days, fits
    (Role.CONTRACTOR, 1, True),
    (Role.CONTRACTOR, 365, True),
    (Role.CONTRACTOR, 0, False),
    (Role.CONTRACTOR, 366, False),
    (Role.CONTRACTOR, -1, False),
    (Role.CONTRACTOR, None, False),
    (Role.MEMBER, None, True),
    (Role.MEMBER, 30, False),
]


@pytest.mark.parametrize(("role", "days", "fits"), TERMS)
def test_a_contractor_and_nobody_else_has_a_term(cast, oz, now, role, days, fits):
    def come():
        return add_member(oz, make_user(), role=role, term_days=days, now=now)

    if fits:
        assert come().ends_at == (now + timedelta(days=days) if days else None)
    else:
        with pytest.raises(Invalid) as refused:
            come()
        assert refused.value.field == "term_days"


def test_an_extended_term_is_in_the_log(cast, oz, now):
    change_member(oz, cast.kit.member.id, role=Role.CONTRACTOR, term_days=90, now=now)
    assert cast.kit.by_key(now=now + timedelta(days=89)).user_id == cast.kit.user.id
    assert verbs(cast.organization)[-1] == "member.change"


def test_a_head_has_a_department_and_the_database_insists(cast, oz, now):
    with pytest.raises(Invalid):
        add_member(oz, make_user(), role=Role.HEAD, now=now)
    with pytest.raises(IntegrityError), acting_for(cast.organization.id):
        make_member(cast.organization, "x", Role.HEAD)


def test_fc26_a_foreign_department_is_no_department(cast, oz, now):
    with acting_for(cast.elsewhere.id):
        foreign = make_department(cast.elsewhere, "Theirs")
    with pytest.raises(Invalid):
        add_member(oz, make_user(), role=Role.MEMBER, department_id=foreign.id, now=now)


# --- going ---------------------------------------------------------------------------------------


def test_a_suspended_member_stops_with_all_keys_and_may_come_back(cast, oz, now):
    suspend_member(oz, cast.ada.member.id, now=now)
    for come_in in (cast.ada.by_key, cast.ada.signed_in):
        with pytest.raises(Unauthenticated):
            come_in(now=now)
    assert organizations_of(cast.ada.user, now=now) == []
    reinstate_member(oz, cast.ada.member.id, now=now)
    assert cast.ada.by_key(now=now).user_id == cast.ada.user.id


MAY_SUSPEND = {
    #       ada    cy     dot    hal    kit    oz    (who is suspended)
    "oz": (True, True, True, True, True, False),
    "al": (True, True, True, True, True, False),
    "hal": (True, True, True, False, False, False),
    "ada": (False, False, False, False, False, False),
    "ann": (False, False, False, False, False, False),
}


@pytest.mark.parametrize("who", MAY_SUSPEND)
def test_who_may_suspend_whom(cast, al, now, who):
    by = al if who == "al" else getattr(cast, who).signed_in(now=now)
    able = []
    for name in ("ada", "cy", "dot", "hal", "kit", "oz"):
        try:
            suspend_member(by, getattr(cast, name).member.id, now=now)
            able.append(True)
        except (Forbidden, Unprocessable):
            able.append(False)
    assert tuple(able) == MAY_SUSPEND[who]


def test_a_head_of_another_line_suspends_nobody_here(cast, now):
    with acting_for(cast.organization.id):
        chief = make_member(cast.organization, "chief", Role.HEAD, department=cast.sales)
    from orgs.access import caller_for_member

    by = caller_for_member(chief.user, cast.organization.id, now=now)
    with pytest.raises(Forbidden):
        suspend_member(by, cast.ada.member.id, now=now)
    suspend_member(by, cast.cy.member.id, now=now)


def test_the_last_owner_stays(cast, oz, now):
    me = cast.oz.member.id
    for leave in (
        lambda: suspend_member(oz, me, now=now),
        lambda: change_member(oz, me, role=Role.ADMIN, now=now),
        lambda: change_member(oz, me, role=Role.MEMBER, now=now),
    ):
        with pytest.raises(Unprocessable):
            leave()
    change_member(oz, cast.ada.member.id, role=Role.OWNER, now=now)
    suspend_member(oz, me, now=now)


def test_an_owner_who_cannot_act_is_no_owner_left(cast, oz, now):
    change_member(oz, cast.ada.member.id, role=Role.OWNER, now=now)
    suspend_member(oz, cast.ada.member.id, now=now)
    with pytest.raises(Unprocessable):
        change_member(oz, cast.oz.member.id, role=Role.ADMIN, now=now)
    reinstate_member(oz, cast.ada.member.id, now=now)
    User.objects.filter(id=cast.ada.user.id).update(is_active=False)
    with pytest.raises(Unprocessable):
        suspend_member(oz, cast.oz.member.id, now=now)


def test_an_administrator_makes_no_owner_and_unmakes_none(cast, al, now):
    for act in (
        lambda: add_member(al, make_user(), role=Role.OWNER, now=now),
        lambda: invite(al, email="x@example.org", role=Role.OWNER, now=now),
        lambda: change_member(al, cast.ada.member.id, role=Role.OWNER, now=now),
        lambda: change_member(al, cast.oz.member.id, role=Role.MEMBER, now=now),
    ):
        with pytest.raises(Forbidden):
            act()


def test_everything_granted_to_a_leaver_is_taken_back(cast, oz, now):
    withdraw_everything(oz, cast.ada.member.id, now=now)
    assert cast.ada.signed_in(now=now).projects == {}
    assert cast.ben.signed_in(now=now).projects != {}


def test_fc26_members_of_other_organizations_are_unknown(cast, oz, now):
    for act in (
        lambda: suspend_member(oz, cast.eve.member.id, now=now),
        lambda: change_member(oz, cast.eve.member.id, role=Role.MEMBER, now=now),
        lambda: withdraw_everything(oz, cast.eve.member.id, now=now),
    ):
        with pytest.raises(Unknown):
            act()


# --- invitations ---------------------------------------------------------------------------------


def test_an_invitation_works_once_for_its_address(cast, oz, now):
    guest = make_user("guest")
    sent = invite(oz, email=f" {guest.email.upper()} ", role=Role.CONTRACTOR, term_days=10, now=now)
    with pytest.raises(Unknown):
        accept_invitation(sent.token, cast.eve.user, now=now)
    later = now + timedelta(days=3)
    member = accept_invitation(sent.token, guest, now=later)
    assert (member.role, member.ends_at) == (Role.CONTRACTOR, later + timedelta(days=10))
    with pytest.raises(Unknown):
        accept_invitation(sent.token, guest, now=later)


@pytest.mark.parametrize("wait", [timedelta(days=7), timedelta(days=8)])
def test_an_invitation_ends_after_seven_days(cast, oz, now, wait):
    guest = make_user("guest")
    sent = invite(oz, email=guest.email, role=Role.MEMBER, now=now)
    with pytest.raises(Unknown):
        accept_invitation(sent.token, guest, now=now + wait)


def test_an_invitations_token_is_kept_nowhere(cast, oz, now):
    sent = invite(oz, email="x@example.org", role=Role.MEMBER, now=now)
    with acting_for(cast.organization.id):
        assert sent.token not in str(list(Invitation.objects.values())) + str(list(AuditEvent.objects.values()))
    with pytest.raises(Unknown):
        accept_invitation("guess", make_user(), now=now)


# --- projects and policies -----------------------------------------------------------------------


def test_a_manager_grants_on_their_project_alone(cast, oz, now):
    grant(oz, Permission.MANAGE, project_id=cast.project.id, member_id=cast.ada.member.id, now=now)
    ada = cast.ada.signed_in(now=now)
    grant(ada, Permission.VIEW, project_id=cast.project.id, member_id=cast.dot.member.id, now=now)
    assert cast.dot.signed_in(now=now).readable_projects == {cast.project.id, cast.other_project.id}
    with pytest.raises(Forbidden):
        grant(ada, Permission.VIEW, project_id=cast.other_project.id, member_id=cast.ada.member.id, now=now)
    withdraw(ada, Permission.VIEW, project_id=cast.project.id, member_id=cast.dot.member.id, now=now)
    assert cast.dot.signed_in(now=now).readable_projects == {cast.other_project.id}


def test_granting_twice_is_granting_once_and_taking_back_nothing_is_no_fault(cast, oz, now):
    place = {"project_id": cast.other_project.id, "department_id": cast.team.id, "now": now}
    grant(oz, Permission.VIEW, **place)
    grant(oz, Permission.VIEW, **place)
    withdraw(oz, Permission.VIEW, **place)
    withdraw(oz, Permission.VIEW, **place)
    assert cast.ada.signed_in(now=now).readable_projects == {cast.project.id}


def test_a_key_grants_nothing_even_an_owners(cast, now):
    with pytest.raises(Forbidden):
        grant(
            cast.oz.by_key(now=now),
            Permission.VIEW,
            project_id=cast.project.id,
            member_id=cast.dot.member.id,
            now=now,
        )


def test_what_cannot_be_granted_is_invalid(cast, oz, now):
    for given in (
        {"permission": Permission.FORGET, "member_id": cast.ada.member.id},
        {"permission": Permission.VIEW},
        {"permission": Permission.VIEW, "member_id": cast.ada.member.id, "department_id": cast.team.id},
    ):
        with pytest.raises(Invalid):
            grant(oz, given.pop("permission"), project_id=cast.project.id, now=now, **given)


def test_fc26_grants_stay_inside_the_organization(cast, oz, now):
    for given in (
        {"project_id": cast.foreign_project.id, "member_id": cast.ada.member.id},
        {"project_id": cast.project.id, "member_id": cast.eve.member.id},
    ):
        with pytest.raises(Unknown):
            grant(oz, Permission.VIEW, now=now, **given)


def test_one_short_name_a_project(cast, oz, now):
    with pytest.raises(Clash):
        create_project(oz, name="Again", slug="apollo", now=now)
    assert create_project(oz, name="New", slug="new", now=now).organization_id == cast.organization.id
    with pytest.raises(Forbidden):
        create_project(cast.ada.signed_in(now=now), name="Mine", slug="mine", now=now)


def test_fc27_policies_are_set_by_name_and_nothing_else_is(cast, oz, now):
    change_policies(oz, greatest_visibility_of_keys="project", members_may_widen=False, now=now)
    assert cast.ada.by_key(now=now).greatest_visibility == "project"
    for given in ({"id": cast.elsewhere.id}, {"plan": "gold"}, {"greatest_visibility_of_keys": "everybody"}):
        with pytest.raises(Invalid):
            change_policies(oz, now=now, **given)
    with pytest.raises(Forbidden):
        change_policies(cast.hal.signed_in(now=now), members_may_widen=True, now=now)


def test_only_people_are_trusted_with_duties(cast, now):
    from orgs.operations.asking import trusted_with

    assert trusted_with(cast.oz.signed_in(now=now), Duty.PEOPLE) is True
    assert trusted_with(cast.oz.by_key(now=now), Duty.PEOPLE) is False
    with acting_for(cast.organization.id):
        assert Membership.objects.filter(role=Role.OWNER).count() == 1
