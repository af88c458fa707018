"""Export and import through their doors: REST, streamed, and the commands."""

import json
from datetime import datetime
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from memory.models import Record
from orgs.caller import Caller
from orgs.errors import Forbidden
from orgs.tenancy import acting_for
from tests.cast import Cast
from tests.factories import make_project
from tests.memory.transfer.moving import stored
from tests.memory.writing import forget, remember


@pytest.fixture
def ada(cast: Cast, now: datetime) -> Caller:
    return cast.ada.by_key(now=now)


@pytest.fixture
def browser(cast: Cast) -> Client:
    browser = Client()
    browser.force_login(cast.oz.user)
    return browser


def wipe(caller: Caller) -> None:
    with acting_for(caller.organization_id):
        Record.objects.filter(organization_id=caller.organization_id).delete()


@pytest.mark.parametrize("accept", ["*/*", "application/json", "application/x-ndjson", "text/markdown"])
def test_an_export_is_streamed_and_its_import_answers_a_report(cast: Cast, ada, client, browser, now, accept) -> None:
    for number in range(3):
        remember(ada, f"факт {number}", now=now)
    exported = client.get("/v1/export", headers={**cast.ada.headers, "Accept": accept})
    assert (exported.status_code, exported.streaming) == (200, True)
    assert exported.headers["Content-Type"] == "application/x-ndjson"
    body = b"".join(exported.streaming_content)
    before = stored(ada)
    wipe(ada)
    answer = browser.post("/v1/import?project=apollo", body, content_type="application/x-ndjson")
    assert (answer.status_code, answer.json()["complete"], answer.json()["created"]["records"]) == (200, True, 3)
    assert [row["content"] for row in stored(ada)["records"]] == [row["content"] for row in before["records"]]


def test_a_faulty_line_is_a_problem_that_carries_the_report(ada: Caller, cast, client, browser, now) -> None:
    remember(ada, "one", now=now)
    body = b"".join(client.get("/v1/export", headers=cast.ada.headers).streaming_content)
    wipe(ada)
    broken = body.replace(b'{"type":"end"', b'{"type":"ende"')
    answer = browser.post("/v1/import?project=apollo", broken, content_type="application/x-ndjson")
    told = answer.json()
    assert (answer.status_code, answer.headers["Content-Type"]) == (422, "application/problem+json")
    assert (told["line"], told["report"]["lines"], told["report"]["created"]["records"]) == (3, 2, 1)


def test_markdown_holds_every_record_and_what_is_known_of_it(cast: Cast, ada: Caller, client, now) -> None:
    record = remember(ada, "---\nid: mine\n---\n# heading", now=now, fact_key="port", tags=['a"b'])
    gone = remember(ada, "gone", now=now)
    forget(ada, now=now, memory_id=str(gone.id))
    answer = client.get("/v1/export?format=markdown", headers=cast.ada.headers)
    text = b"".join(answer.streaming_content).decode()
    assert answer.headers["Content-Type"] == "text/markdown; charset=utf-8"
    assert f'---\ntype: "record"\nid: "{record.id}"\n' in text.replace('path: "apollo/default/port.md"\n', "")
    assert ("\n---\n\n---\nid: mine\n---\n# heading\n" in text, 'tags: ["a\\"b"]\n' in text) == (True, True)
    assert (f'type: "tombstone"\nid: "{gone.id}"' in text, "left_out: [" in text) == (True, True)


@pytest.mark.parametrize(
    ("query", "field"),
    [("format=xml", "format"), ("project=", "project"), ("limit=3", "limit"), ("format=jsonl&format=jsonl", "format")],
)
def test_bad_parameters_are_named(cast: Cast, client, query: str, field: str) -> None:
    answer = client.get(f"/v1/export?{query}", headers=cast.ada.headers)
    assert (answer.status_code, answer.json()["field"]) == (400, field)


def test_a_project_one_has_no_part_in_is_unknown(cast: Cast, client, browser) -> None:
    assert client.get("/v1/export?project=gemini", headers=cast.ada.headers).status_code == 404
    assert browser.post("/v1/import?project=voyager", b"{}", content_type="application/x-ndjson").status_code == 404
    assert browser.post("/v1/import", b"{}", content_type="application/x-ndjson").status_code == 404
    assert browser.post("/v1/import?project=apollo", b"{}", content_type="application/json").status_code == 415


def test_the_commands_move_a_project(cast: Cast, ada: Caller, tmp_path: Path, now: datetime, capsys) -> None:
    remember(ada, "shared", now=now)
    draft = remember(ada, "a draft", now=now, visibility="author")
    whole, seen = tmp_path / "whole.jsonl", tmp_path / "seen.jsonl"
    place = [cast.organization.slug, "apollo"]
    call_command("export_project", *place, "--output", str(whole))
    call_command("export_project", *place, "--output", str(seen), "--as", cast.oz.user.email)
    assert (str(draft.id) in whole.read_text(), str(draft.id) in seen.read_text()) == (True, False)
    with pytest.raises(FileExistsError):
        call_command("export_project", *place, "--output", str(whole))
    with acting_for(cast.organization.id):
        make_project(cast.organization, "voyager")
    target = [cast.organization.slug, "voyager", str(whole)]
    call_command("import_project", *target, "--as", cast.oz.user.email)
    assert json.loads(capsys.readouterr().out)["created"]["records"] == 2
    for wrong in (cast.ada.user.email, cast.eve.user.email, "nobody@example.org"):
        with pytest.raises((CommandError, Forbidden)):
            call_command("import_project", *target, "--as", wrong)
    for nowhere in ([cast.organization.slug, "nowhere"], ["nowhere", "apollo"]):
        with pytest.raises(CommandError):
            call_command("export_project", *nowhere)
