"""Addresses of the pages about records."""

from memory.web.records import ForgetRecord, RecordPage, Remember, RestoreRecord
from memory.web.searching import Search
from orgs.web.pages import page

app_name = "memory"
urlpatterns = [
    page("", Search, name="search"),
    page("remember/", Remember, name="remember"),
    page("records/<str:id>/", RecordPage, name="record"),
    page("records/<str:id>/forget/", ForgetRecord, name="forget"),
    page("records/<str:id>/restore/", RestoreRecord, name="restore"),
]
