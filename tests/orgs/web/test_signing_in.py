"""Who comes in through the pages' door, and where they are then."""

import re
from datetime import timedelta

import pytest
from django.test import Client

from orgs.authentication import ORGANIZATION_IN_SESSION
from orgs.models import Membership
from orgs.tenancy import acting_for
from tests.cast import Cast, Person
from tests.factories import make_organization, make_project

PASSWORD = "correct horse battery staple"
BROWSER = {"headers": {"accept": "text/html"}}


def signed_in(person: Person, **options) -> Client:
    client = Client(headers={"accept": "text/html"}, **options)
    client.force_login(person.user)
    return client


def try_to_sign_in(person: Person, password: str = PASSWORD, email: str = ""):
    person.user.set_password(PASSWORD)
    person.user.save()
    client = Client(headers={"accept": "text/html"})
    answer = client.post("/login/", {"username": email or person.user.email, "password": password})
    return client, answer


@pytest.mark.parametrize("name", ["ada", "hal", "kit", "ann", "oz"])
def test_every_active_member_may_sign_in_whatever_their_role(cast: Cast, name):
    client, answer = try_to_sign_in(cast.everybody[name])
    assert (answer.status_code, answer["Location"]) == (302, "/")
    assert client.get("/").status_code == 200


def test_an_address_is_found_however_it_is_spelled(cast: Cast):
    _, answer = try_to_sign_in(cast.ada, email=f"  {cast.ada.user.email.upper()} ")
    assert answer.status_code == 302


def test_a_suspended_member_may_not_sign_in(cast: Cast):
    client, answer = try_to_sign_in(cast.sam)
    assert answer.status_code == 200
    assert client.get("/").status_code == 302


def test_a_wrong_password_and_an_unknown_address_are_answered_alike(cast: Cast):
    _, wrong = try_to_sign_in(cast.ada, password="not this one")
    _, unknown = try_to_sign_in(cast.ada, email="nobody@example.org")
    words = [re.findall(r"errornote[^<]*<[^>]*>|do not go together", one.content.decode()) for one in (wrong, unknown)]
    assert words[0] == words[1]
    assert "do not go together" in wrong.content.decode()
    assert "correct the error" not in wrong.content.decode()


def test_suspension_ends_a_session_at_its_next_page(cast: Cast, now):
    client = signed_in(cast.ada)
    assert client.get("/").status_code == 200
    with acting_for(cast.organization.id):
        Membership.objects.filter(id=cast.ada.member.id).update(suspended_at=now)
    assert client.get("/")["Location"].startswith("/login/")


def test_a_contractors_session_ends_with_the_term(cast: Cast, now):
    client = signed_in(cast.kit)
    assert client.get("/").status_code == 200
    with acting_for(cast.organization.id):
        Membership.objects.filter(id=cast.kit.member.id).update(ends_at=now - timedelta(seconds=1))
    assert client.get("/")["Location"].startswith("/login/")


def test_being_an_operator_opens_nothing(cast: Cast):
    operator = type(cast.ada.user).objects.create_superuser("operator@example.org", PASSWORD)
    client = Client(headers={"accept": "text/html"})
    client.force_login(operator)
    assert client.get("/")["Location"].startswith("/login/")


def test_after_signing_in_nobody_is_sent_to_another_site(cast: Cast):
    cast.ada.user.set_password(PASSWORD)
    cast.ada.user.save()
    said = {"username": cast.ada.user.email, "password": PASSWORD, "next": "https://elsewhere.example/"}
    assert Client().post("/login/?next=https://elsewhere.example/", said)["Location"] == "/"


def test_signing_out_is_a_post(cast: Cast):
    client = signed_in(cast.ada)
    assert client.get("/logout/").status_code == 405
    client.post("/logout/")
    assert client.get("/")["Location"].startswith("/login/")


def test_the_session_carries_the_organization_for_rest_as_well(cast: Cast):
    client = signed_in(cast.ada)
    client.get("/")
    assert client.session[ORGANIZATION_IN_SESSION] == str(cast.organization.id)


def test_a_member_of_two_organizations_chooses_and_sees_nothing_of_the_other(cast: Cast):
    second = make_organization("Second")
    with acting_for(second.id):
        make_project(second, "zeus")
        Membership.objects.create(organization=second, user=cast.ada.user, role="owner")
    client = signed_in(cast.ada)
    assert "Zeus" not in client.get("/").content.decode()
    moved = client.post("/places/", {"organization": str(second.id)}, follow=True).content.decode()
    assert "Second · Zeus" in moved
    assert "Acme" not in client.get("/keys/").content.decode()


@pytest.mark.parametrize("place", ["elsewhere", "foreign_project", "other_project"])
def test_a_place_that_is_not_ones_own_does_not_exist(cast: Cast, place):
    organization = cast.elsewhere.id if place == "elsewhere" else cast.organization.id
    project = "" if place == "elsewhere" else str(getattr(cast, place).id)
    client = signed_in(cast.ada)
    assert client.post("/places/", {"organization": str(organization), "project": project}).status_code == 404
    assert "Acme · Apollo" in client.get("/").content.decode()


def test_a_member_without_a_project_is_told_so(cast: Cast):
    assert "No project to look into yet" in signed_in(cast.ann).get("/").content.decode()
