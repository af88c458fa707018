"""read: a node or null, a list, a pack; and route beside it."""

from datetime import datetime
from uuid import uuid4

import pytest

from memory.protocol import shapes
from memory.verbs.read import PIECE
from orgs.errors import Invalid
from tests.cast import Cast
from tests.memory.writing import forget, remember, said


def node(outcome) -> shapes.Node:
    assert isinstance(outcome.answer, shapes.Node), outcome
    return outcome.answer


def test_a_record_reads_as_a_markdown_node(cast: Cast, now: datetime) -> None:
    ada = cast.ada.by_key(now=now)
    record = remember(ada, "by systemd\nand nothing else", now=now, fact_key="deploy.staging", workspace="infra")
    shown = node(said("read", ada, now=now, node_id=str(record.id)))
    assert (shown.path, shown.content, shown.content_lines) == ("apollo/infra/deploy.staging.md", record.content, 2)
    assert (shown.frontmatter["fact_key"], shown.truncated, shown.next_offset) == ("deploy.staging", False, None)


def test_a_node_without_a_fact_key_is_named_by_its_id(cast: Cast, now: datetime) -> None:
    ada = cast.ada.by_key(now=now)
    record = remember(ada, "by systemd", now=now)
    assert node(said("read", ada, now=now, node_id=str(record.id))).path == f"apollo/default/{record.id}.md"


def test_long_content_comes_in_pieces_that_make_up_the_whole(cast: Cast, now: datetime) -> None:
    ada = cast.ada.by_key(now=now)
    content = "строка 部署 line\n" * (PIECE // 6)
    id = str(remember(ada, content, now=now).id)
    pieces, offset = [], 0
    while offset is not None:
        shown = node(said("read", ada, now=now, node_id=id, offset=offset))
        pieces.append(shown.content)
        offset = shown.next_offset
    assert (len(pieces), "".join(pieces), shown.content_bytes) == (3, content, len(content.encode()))


def test_absent_hidden_foreign_and_forgotten_are_one_null(cast: Cast, now: datetime) -> None:
    ben = cast.ben.by_key(now=now)
    gone = remember(ben, "gone", now=now)
    forget(ben, now=now, memory_id=str(gone.id))
    draft = remember(cast.ada.by_key(now=now), "x", now=now, visibility="author")
    foreign = remember(cast.eve.by_key(now=now), "x", now=now)
    for id in (uuid4(), gone.id, draft.id, foreign.id):
        outcome = said("read", ben, now=now, node_id=str(id))
        assert (outcome.form, outcome.answer) == ("node_missing", None)


@pytest.mark.parametrize(
    ("sent", "got_type"), [(7, "number"), (1.5, "number"), (True, "boolean"), ([], "array"), ({}, "object")]
)
@pytest.mark.parametrize("verb", ["read", "forget", "supersede"])
def test_a_node_id_that_is_no_text_is_never_null(cast: Cast, now: datetime, verb: str, sent, got_type: str) -> None:
    outcome = said(verb, cast.ada.by_key(now=now), now=now, node_id=sent)
    assert (outcome.form, outcome.shape.http_status) == ("node_id_not_str", 400)
    assert outcome.answer == shapes.BadNodeId(ok=False, error="node_id_not_str", got_type=got_type)


@pytest.mark.parametrize("inputs", [{"validity": "as_of"}, {"as_of": "2026-01-01"}])
def test_as_of_and_its_time_go_together(cast: Cast, now: datetime, inputs: dict[str, str]) -> None:
    with pytest.raises(Invalid) as refused:
        said("read", cast.ada.by_key(now=now), now=now, query="x", **inputs)
    assert refused.value.field == "as_of"


def test_a_pack_fits_its_budget_and_names_what_did_not(cast: Cast, now: datetime) -> None:
    ada = cast.ada.by_key(now=now)
    for number in range(6):
        remember(ada, f"quokka {number} " + "word " * 40 * number, now=now)
    pack = said("read", ada, now=now, query="quokka", budget_tokens=200, include_recent=True).answer
    assert isinstance(pack, shapes.Pack)
    assert pack.tokens_used == sum(one.tokens for one in pack.pack) <= 200
    assert len(pack.pack) + len(pack.skipped) == pack.meta.considered == 6
    assert all(one.tokens > 0 for one in pack.skipped)
    assert len(pack.recent) == 6


def test_a_pack_holds_nothing_hidden(cast: Cast, now: datetime) -> None:
    remember(cast.ada.by_key(now=now), "quokka", now=now, visibility="author")
    pack = said("read", cast.ben.by_key(now=now), now=now, budget_tokens=1000, include_recent=True).answer
    assert isinstance(pack, shapes.Pack)
    assert (pack.pack, pack.skipped, pack.recent, pack.meta.considered) == ([], [], [], 0)


def test_route_says_what_is_known_and_what_to_use(cast: Cast, now: datetime) -> None:
    ada = cast.ada.by_key(now=now)
    record = remember(ada, "staging is deployed by systemd", now=now)
    answer = said("route", ada, now=now, intent="forget a record about staging").answer
    assert isinstance(answer, shapes.RouteAnswer)
    assert [known.id for known in answer.knowledge] == [record.id]
    assert answer.suggested_capabilities is not None
    assert "forget" in [suggestion.name for suggestion in answer.suggested_capabilities]
