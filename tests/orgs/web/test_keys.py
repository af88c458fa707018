"""Keys on pages: who lists, makes and ends them."""

from django.conf import settings

from orgs import grants
from orgs.models import ApiKey
from orgs.roles import Permission
from orgs.tenancy import acting_for
from tests.cast import Cast
from tests.factories import make_key
from tests.orgs.web.test_signing_in import signed_in

NEW = {"name": "Laptop", "actions": ["read", "write"], "workspaces": "alpha, beta", "days": "30"}


def test_a_member_lists_their_own_keys_and_a_manager_all_of_the_project(cast: Cast):
    with acting_for(cast.organization.id):
        make_key(cast.dot.member, cast.other_project)
    own, all_of_them = signed_in(cast.ada).get("/keys/"), signed_in(cast.oz).get("/keys/")
    listed = [{key.owner for key in one.context["keys"]} for one in (own, all_of_them)]
    assert listed[0] == {"Ada"}
    assert listed[1] >= {"Ada", "Ben", "Cy", "Oz"}
    assert "Dot" not in listed[1]


def test_fc45_a_list_shows_neither_the_key_nor_what_is_kept_of_it(cast: Cast):
    body = signed_in(cast.ada).get("/keys/").content.decode()
    assert cast.ada.key.public_id in body
    assert cast.ada.token not in body
    assert cast.ada.key.digest not in body


def test_only_a_manager_makes_keys(cast: Cast):
    client = signed_in(cast.ada)
    assert [client.get("/keys/new/").status_code, client.post("/keys/new/", NEW).status_code] == [403, 403]
    with acting_for(cast.organization.id):
        grants.grant(Permission.MANAGE, on=cast.project, to=cast.ada.member)
    made = client.post("/keys/new/", NEW)
    assert made.status_code == 200
    with acting_for(cast.organization.id):
        key = ApiKey.objects.get(name="Laptop")
    assert (key.owner_id, key.project_id) == (cast.ada.member.id, cast.project.id)
    assert (key.actions, key.workspaces) == (["read", "write"], ["alpha", "beta"])
    assert made.context["token"].startswith(f"pal_{key.public_id}_")
    assert f"{settings.PUBLIC_URL}/mcp<" in made.content.decode()


def test_what_is_wrong_with_a_wish_is_said_beside_the_field(cast: Cast):
    client = signed_in(cast.oz)
    nothing = client.post("/keys/new/", NEW | {"actions": []})
    nameless = client.post("/keys/new/", NEW | {"name": "x" * 151})
    unprintable = client.post("/keys/new/", NEW | {"workspaces": "a\u0007b"})
    forms = [one.context["form"].errors for one in (nothing, nameless, unprintable)]
    assert [list(errors) for errors in forms] == [["actions"], ["name"], ["workspaces"]]
    assert {one.status_code for one in (nothing, nameless, unprintable)} == {400}


def test_a_revoked_key_is_said_to_be_revoked(cast: Cast):
    client = signed_in(cast.ada)
    page = client.post(f"/keys/{cast.ada.key.id}/revoke/", follow=True)
    assert "1 key was revoked." in page.content.decode()
    assert [key.is_live for key in page.context["keys"]] == [False]
    again = client.post(f"/keys/{cast.ada.key.id}/revoke/", follow=True)
    assert "had been revoked already" in again.content.decode()
