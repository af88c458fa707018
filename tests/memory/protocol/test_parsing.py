"""What callers send: taken strictly, refused by the name of the field, never echoed."""

from typing import Any

import pytest

from memory.protocol.parsing import parse
from memory.protocol.shapes import ForgetInputs, RememberInputs, SearchInputs
from orgs.errors import Invalid

TOKEN = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({}, "content"),
        ({"content": ""}, "content"),
        ({"content": "  \n"}, "content"),
        ({"content": "a\0b"}, "content"),
        ({"content": 7}, "content"),
        ({"content": "a" * 1_048_577}, "content"),
        ({"content": "部" * 1_048_577}, "content"),
        ({"content": "x", "confidence": 1.01}, "confidence"),
        ({"content": "x", "confidence": -0.01}, "confidence"),
        ({"content": "x", "confidence": True}, "confidence"),
        ({"content": "x", "confidence": "0.5"}, "confidence"),
        ({"content": "x", "confidence": float("inf")}, "confidence"),
        ({"content": "x", "derived_from": "abc"}, "derived_from"),
        ({"content": "x", "derived_from": [12]}, "derived_from.0"),
        ({"content": "x", "derived_from": [99999999999999999999]}, "derived_from.0"),
        ({"content": "x", "derived_from": ["not-a-uuid"]}, "derived_from.0"),
        ({"content": "x", "derived_from": ["0199d1c4-7e1f-7c3a-9a4c-2e5d8b7f1a60"] * 51}, "derived_from"),
        ({"content": "x", "tags": ["a", ""]}, "tags.1"),
        ({"content": "x", "tags": ["t"] * 65}, "tags"),
        ({"content": "x", "metadata": []}, "metadata"),
        ({"content": "x", "metadata": {"k\0": 1}}, "metadata"),
        ({"content": "x", "metadata": {"k": "v\0"}}, "metadata"),
        ({"content": "x", "metadata": {"k": "v" * 17_000}}, "metadata"),
        ({"content": "x", "metadata": {"a": {"b": {"c": {"d": {"e": {"f": {"g": {"h": {"i": 1}}}}}}}}}}, "metadata"),
        ({"content": "x", "metadata": {"k": 10**40}}, "metadata"),
        ({"content": "x", "visibility": "everyone"}, "visibility"),
        ({"content": "x", "workspace": ""}, "workspace"),
        ([], "body"),
        ("text", "body"),
        (None, "body"),
    ],
)
def test_bad_input_is_refused_by_the_name_of_its_field(sent: Any, field: str) -> None:
    with pytest.raises(Invalid) as refused:
        parse(RememberInputs, sent)
    assert refused.value.field == field


@pytest.mark.parametrize("name", ["project", "organization", "author", "status", "created_at", "id", "deleted_at"])
def test_fc27_what_the_server_owns_is_no_parameter(name: str) -> None:
    with pytest.raises(Invalid) as refused:
        parse(RememberInputs, {"content": "x", name: "2000-01-01T00:00:00Z"})
    assert refused.value.field == name


def test_a_misspelt_parameter_is_named_with_the_nearest_declared_one() -> None:
    with pytest.raises(Invalid, match=r"There is no parameter contnt\. Did you mean content\?"):
        parse(RememberInputs, {"contnt": "x"})


@pytest.mark.parametrize(
    "sent",
    [{"content": "x", TOKEN: 1}, {"content": "x", "confidence": TOKEN}, {"content": "x", "metadata": {TOKEN: "\0"}}],
)
def test_fc45_a_refusal_never_repeats_what_was_sent(sent: dict[str, Any]) -> None:
    with pytest.raises(Invalid) as refused:
        parse(RememberInputs, sent)
    assert TOKEN not in f"{refused.value.detail}{refused.value.field}{refused.value.hint}{refused.value.data}"


def test_an_explicit_null_means_omitted() -> None:
    sent = {"query": "deploy", "workspace": None, "limit": None, "tags": None}
    assert parse(SearchInputs, sent) == parse(SearchInputs, {"query": "deploy"})


@pytest.mark.parametrize(
    ("sent", "instant"),
    [
        ("2026-03-01T01:00:00+03:00", "2026-02-28T22:00:00+00:00"),
        ("2026-02-28T22:00:00Z", "2026-02-28T22:00:00+00:00"),
        ("2026-02-28T17:00:00-05:00", "2026-02-28T22:00:00+00:00"),
        ("2026-03-01T00:00:00", "2026-03-01T00:00:00+00:00"),
        ("2026-03-01", "2026-03-01T00:00:00+00:00"),
        ("2026-03-01 00:00:00.281+00", "2026-03-01T00:00:00.281000+00:00"),
    ],
)
def test_fc43_equal_instants_are_equal_and_a_time_without_offset_is_utc(sent: str, instant: str) -> None:
    parsed = parse(SearchInputs, {"query": "x", "created_from": sent}).created_from
    assert parsed is not None
    assert parsed.isoformat() == instant


@pytest.mark.parametrize("sent", ["1772319600", 1772319600, "yesterday", "2026-02-30", "", "0001-01-01T00:00:00+14:00"])
def test_fc43_what_is_no_time_is_refused_by_name(sent: Any) -> None:
    with pytest.raises(Invalid) as refused:
        parse(SearchInputs, {"query": "x", "created_from": sent})
    assert refused.value.field == "created_from"


def test_ids_in_any_usual_spelling_are_one_id() -> None:
    id = "0199d1c4-7e1f-7c3a-9a4c-2e5d8b7f1a60"
    assert parse(ForgetInputs, {"memory_id": id.upper()}) == parse(ForgetInputs, {"memory_id": id})
