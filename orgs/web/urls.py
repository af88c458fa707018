"""Addresses of the pages about organizations."""

from orgs.web.keys import Keys, NewKey, RevokeKey
from orgs.web.pages import page
from orgs.web.places import Places

app_name = "orgs"
urlpatterns = [
    page("places/", Places, name="places"),
    page("keys/", Keys, name="keys"),
    page("keys/new/", NewKey, name="new-key"),
    page("keys/<str:id>/revoke/", RevokeKey, name="revoke-key"),
]
