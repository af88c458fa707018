"""The conformance checks hold for the service as it is, and each of them can fail."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from memory.api.surface import rest_surface
from memory.mcp.surface import mcp_surface
from memory.protocol.conformance import REAL, Declared, Surface, check, fingerprint
from memory.protocol.publishing import published
from memory.protocol.shapes import BadNodeId, SearchAnswer
from memory.protocol.verbs import VERBS, Shape, Verb, shape_of
from memory.protocol.vocabulary import VerbStatus
from memory.verbs import Outcome, run
from memory.verbs.running import READERS, require_declared
from tests.cast import Cast


def failed(surface: Surface, declared: Declared = REAL) -> set[str]:
    return {finding.id for finding in check([surface], declared) if not finding.ok}


def changed(**verbs: Verb) -> Declared:
    return replace(REAL, verbs={**REAL.verbs, **verbs})


def test_the_service_keeps_its_protocol() -> None:
    assert failed(rest_surface()) == set()
    assert failed(mcp_surface()) == set()


RESERVED = replace(VERBS["read"], status=VerbStatus.RESERVED, map_to="search")
BROKEN: list[tuple[str, Callable[[], set[str]]]] = [
    (
        "protocol.op.extension_surface",
        lambda: failed(replace(rest_surface(), offers=rest_surface().offers | {"teleport"})),
    ),
    ("protocol.verb.implemented", lambda: failed(replace(rest_surface(), offers=rest_surface().offers - {"read"}))),
    ("protocol.verb.reserved_clean", lambda: failed(rest_surface(), changed(read=RESERVED))),
    ("protocol.shape.declared", lambda: failed(rest_surface(), changed(read=replace(VERBS["read"], shapes={})))),
    (
        "protocol.shape.declared",
        lambda: failed(rest_surface(), changed(read=replace(VERBS["read"], shapes={"list": Shape("", SearchAnswer)}))),
    ),
    ("protocol.shape.declared", lambda: failed(rest_surface(), changed(read=replace(VERBS["read"], impl="memory.no")))),
    (
        "protocol.shape.declared",
        lambda: failed(
            replace(rest_surface(), offers=rest_surface().offers - {"read"}),
            changed(read=replace(RESERVED, map_to="")),
        ),
    ),
    (
        "protocol.shape.frozen",
        lambda: failed(rest_surface(), replace(REAL, frozen=True, fingerprints={REAL.version: "of other shapes"})),
    ),
]


@pytest.mark.parametrize(("id", "broken"), BROKEN)
def test_each_check_can_fail(id: str, broken: Callable[[], set[str]]) -> None:
    assert broken() == {id}


def test_no_door_at_all_is_no_implementation() -> None:
    assert {f.id for f in check([]) if not f.ok} == {"protocol.verb.implemented"}


def test_frozen_shapes_may_stay_as_they_are() -> None:
    sealed = replace(REAL, frozen=True, fingerprints={REAL.version: fingerprint()})
    assert failed(rest_surface(), sealed) == set()


@pytest.mark.parametrize(("verb", "form"), [("teleport", "default"), ("read", "hologram"), ("search", "node")])
def test_an_undeclared_verb_or_form_raises_and_is_never_an_empty_shell(verb: str, form: str) -> None:
    with pytest.raises(KeyError):
        shape_of(verb, form)


def test_every_form_of_a_write_answer_has_the_trio() -> None:
    for form, shape in VERBS["write"].shapes.items():
        assert shape.answer is not None
        required = {name for name, field in shape.answer.model_fields.items() if field.is_required()}
        assert {"ok", "id", "committed"} <= required, form


def test_the_protocol_is_published_to_everybody(client: Client) -> None:
    assert client.get("/v1/protocol").json() == published()


def test_the_command_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("protocol")
    assert "protocol.verb.implemented" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("form", "answer"),
    [
        ("node", None),
        ("node_missing", BadNodeId(ok=False, error="node_id_not_str", got_type="number")),
        ("list", BadNodeId(ok=False, error="node_id_not_str", got_type="number")),
        ("list", BadNodeId.model_construct(ok=False)),
    ],
)
def test_an_answer_in_another_form_than_it_says_does_not_pass(form: str, answer: Any) -> None:
    with pytest.raises(ValueError, match=r"read\.|validation error"):
        require_declared(Outcome(VERBS["read"], form, answer))


def test_an_undeclared_form_does_not_pass() -> None:
    with pytest.raises(KeyError):
        require_declared(Outcome(VERBS["read"], "guess", None))


def test_under_the_setting_every_call_is_checked(cast: Cast, now: datetime, settings: Any, monkeypatch: Any) -> None:
    settings.CHECK_ANSWERS = True
    other = BadNodeId(ok=False, error="node_id_not_str", got_type="number")
    monkeypatch.setitem(READERS, "route", lambda *_, **__: ("default", other))
    with pytest.raises(ValueError, match="validation error"):
        run("route", cast.ada.by_key(now=now), {"intent": "deploy"}, now=now)
