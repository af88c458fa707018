"""How tools describe themselves, and how arguments that clients mangle are read."""

import json

import pytest

from memory.mcp.asked import Surface
from memory.mcp.tools import LISTED, TOOLS
from memory.mcp.wording import TITLES, WHEN
from memory.models import Record
from memory.protocol.verbs import LIVE
from memory.search.tokens import count
from orgs.tenancy import acting_for
from tests.memory.api.calling import post
from tests.memory.mcp.calling import PING, asked, failed, refusal, tool


def listed(person, surface=None):
    at = f"/mcp?surface={surface}" if surface else "/mcp"
    return asked(person, "tools/list", at=at)["tools"]


def names(tools):
    return [one["name"] for one in tools]


def within(schema):
    """Yield every schema inside a schema, itself first."""
    yield schema
    for inner in [*schema.get("properties", {}).values(), *([schema["items"]] if "items" in schema else [])]:
        yield from within(inner)


def test_few_tools_are_listed_unless_more_are_asked_for(cast):
    assert names(listed(cast.ada)) == ["search", "remember", "read", "forget", "validate_memory"]
    assert names(listed(cast.ada, "one")) == ["memory"]
    assert set(names(listed(cast.ada, "full"))) == {*LIVE, "memory"}
    assert names(listed(cast.ada, "full")) == names(listed(cast.ada, "full"))
    assert refusal(post(cast.ada, "/mcp?surface=all", PING)) == (400, -32600, "invalid")


def test_a_tool_that_is_not_listed_can_be_called(cast):
    assert tool(cast.ada, "route", intent="x", at="/mcp?surface=one")["knowledge"] == []


def test_what_the_usual_tools_take_leaves_an_agent_its_context():
    told = [TOOLS[name] for name in LISTED[Surface.CORE]]
    assert sum(count(f"{one.name} {one.description} {json.dumps(one.input_schema)}") for one in told) < 2_600
    assert count(TOOLS["memory"].description + json.dumps(TOOLS["memory"].input_schema)) < 2_000


def test_every_tool_says_what_it_is_and_when_to_call_it():
    assert set(TOOLS) == set(TITLES) == set(WHEN)
    for name, one in TOOLS.items():
        assert (one.title, one.annotations.title) == (TITLES[name], TITLES[name])
        assert WHEN[name] in one.description
        assert (name in LIVE and LIVE[name].summary in one.description) or name == "memory"


HINTS = {  # read-only, destructive, idempotent
    "search": (True, False, True),
    "read": (True, False, True),
    "route": (True, False, True),
    "validate_memory": (True, False, True),
    "remember": (False, False, False),
    "write": (False, False, False),
    "supersede": (False, False, False),
    "forget": (False, True, True),
    "memory": (False, True, False),
}


def test_annotations_say_what_a_tool_may_do():
    told = {name: one.annotations for name, one in TOOLS.items()}
    assert {n: (a.read_only_hint, a.destructive_hint, a.idempotent_hint) for n, a in told.items()} == HINTS
    assert {a.open_world_hint for a in told.values()} == {False}


@pytest.mark.parametrize("name", TOOLS)
def test_fc14_what_a_tool_takes_is_plain_to_every_client(cast, name):
    one = next(tool for tool in listed(cast.ada, "full") if tool["name"] == name)
    schema = one["inputSchema"]
    assert (schema["type"], isinstance(schema["properties"], dict)) == ("object", True)
    for inner in within(schema):
        assert isinstance(inner["type"], str), inner
        assert ("items" in inner) == (inner["type"] == "array"), inner
        assert inner.get("format", "date-time") == "date-time"
    for either in (schema, one["outputSchema"]):
        text = json.dumps(either)
        assert [word for word in ("anyOf", "oneOf", "allOf", "$ref", "$defs", "null") if f'"{word}"' in text] == []
        assert all(isinstance(inner.get("type", ""), str) for inner in within(either))
    assert one["outputSchema"]["type"] == "object"


def test_a_tool_takes_what_its_verb_takes():
    for name, verb in LIVE.items():
        schema = TOOLS[name].input_schema
        assert set(schema["properties"]) == set(verb.inputs.model_fields)
        required = [field for field, one in verb.inputs.model_fields.items() if one.is_required()]
        assert schema.get("required", []) == required
    every = {"op"} | {field for verb in LIVE.values() for field in verb.inputs.model_fields}
    assert set(TOOLS["memory"].input_schema["properties"]) == every


def test_fc14_null_means_omitted_and_an_empty_text_is_no_name(cast):
    assert tool(cast.ada, "search", query="deploy", workspace=None, limit=None)["meta"]["limit"] == 10
    refused = failed(cast.ada, "search", query="deploy", workspace="")
    assert (refused["code"], refused["field"]) == ("invalid", "workspace")
    assert tool(cast.ada, "search", query="deploy", limit="", tags="")["meta"]["limit"] == 10


def test_arguments_may_be_left_out_where_none_is_needed(cast):
    assert json.loads(asked(cast.ada, "tools/call", {"name": "memory"})["content"][0]["text"])["code"] == "invalid"


@pytest.fixture
def sources(cast):
    return [tool(cast.ada, "remember", content=text)["id"] for text in ("one", "two")]


def stored(cast):
    with acting_for(cast.organization.id):
        return Record.objects.count()


def test_fc08_a_list_that_came_as_text_is_the_list_it_means(cast, sources):
    one, two = sources
    for sent, meant in [
        (json.dumps(sources), sources),
        (f" {json.dumps(sources)}\n", sources),
        (one, [one]),
        (f" {two} ", [two]),
        ("[]", []),
        ("", []),
        ("  ", []),
        (None, []),
    ]:
        kept = tool(cast.ada, "remember", content=f"итоги недели {sent!r}", derived_from=sent)
        assert kept["derived_from"] == meant
    assert tool(cast.ada, "memory", content="итоги", derived_from=json.dumps(sources))["ok"]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("derived_from", "not json"),
        ("derived_from", '{"a": 1}'),
        ("derived_from", "[1, 2"),
        ("derived_from", '["no id"]'),
        ("derived_from", "7"),
        ("tags", "a, b"),
        ("tags", "true"),
        ("tags", "[1]"),
        ("confidence", "high"),
        ("confidence", "true"),
        ("confidence", "0,5"),
        ("confidence", "NaN"),
        ("metadata", "[]"),
        ("metadata", "{"),
        ("metadata", '{"a": NaN}'),
        ("gated", "yes"),
        ("gated", "1"),
        ("consistency", "0"),
    ],
)
def test_fc08_what_cannot_be_read_is_refused_by_name_and_nothing_is_stored(cast, field, value):
    refused = failed(cast.ada, "write", content="x", **{field: value})
    assert (refused["code"], refused["field"].partition(".")[0], stored(cast)) == ("invalid", field, 0)


def test_fc08_numbers_booleans_and_objects_that_came_as_text_are_read(cast):
    kept = tool(
        cast.ada,
        "remember",
        content="17",
        confidence="0.9",
        tags='["a","b"]',
        metadata='{"a": [1, null]}',
        fact_key="true",
        session="12",
    )
    assert (kept["content"], kept["confidence"], kept["tags"], kept["metadata"]) == (
        "17",
        0.9,
        ["a", "b"],
        {"a": [1, None]},
    )
    assert (kept["fact_key"], kept["session"]) == ("true", "12")
    assert tool(cast.ada, "write", content="18", consistency="False", gated="false")["committed"]
    assert tool(cast.ada, "search", query="17", limit="1", explain="TRUE")["meta"]["limit"] == 1
    assert failed(cast.ada, "search", query="17", limit="1.5")["field"] == "limit"
    assert failed(cast.ada, "search", query="17", limit="true")["field"] == "limit"


def test_fc08_a_map_of_hashes_may_come_as_text_and_a_hash_stays_one(cast):
    tool(cast.ada, "remember", content="x", source_id="docs/a.md", source_hash="sha256:00")
    for sent in ({"docs/a.md": "sha256:11"}, '{"docs/a.md": "sha256:11"}'):
        assert tool(cast.ada, "validate_memory", current_source_hash=sent)["stale_count"] == 1
    told = tool(cast.ada, "validate_memory", source_id="docs/a.md", current_source_hash="1234")
    assert told["current_source_hash"] == "1234"


def test_fc41_nul_and_half_pairs_are_refused_and_whole_characters_kept(cast):
    for arguments in ({"content": "a\0b"}, {"content": "x", "session": "k\0"}, {"content": "x", "metadata": {"\0": 1}}):
        assert failed(cast.ada, "remember", **arguments)["code"] == "invalid"
    assert failed(cast.ada, "search", query="a\0")["code"] == "invalid"
    call = b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": %b}'
    half = call % b'{"name": "remember", "arguments": {"content": "x\\ud83d"}}'
    assert refusal(post(cast.ada, "/mcp", half))[0] == 400
    for text in ("🚀", r"six: \u0000", "部署 стенд"):
        assert tool(cast.ada, "remember", content=text)["content"] == text


def test_a_name_that_is_misspelt_is_told_the_nearest_and_never_dropped(cast):
    refused = failed(cast.ada, "search", query="x", workspce="docs")
    assert (refused["nearest"], "workspace" in refused["detail"]) == ("workspace", True)
    assert refused["request_id"]
