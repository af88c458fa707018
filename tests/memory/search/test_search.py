"""Search through the verb, on the real database with the real embedder."""

from base64 import b64encode
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from memory.search import embeddings
from memory.verbs.running import run
from orgs.errors import Invalid
from tests.memory.search.conftest import Memory, all_pages

CANARY = "订单服务改用蓝绿发布，回滚窗口三十分钟"
ROLLING = "支付服务仍用滚动发布"
PATHS = [
    "правила лежат в infra/ansible/roles/app-staging/tasks/main.yml",
    "ошибка в payments.gateway.retry_policy",
    "db01.prod.example.org is read-only",
    "docs at https://wiki.example.org/ops/run-book?page=2",
    r"C:\repo\src\main.py",
]


@pytest.fixture
def chinese(memory: Memory) -> Memory:
    memory.remember(CANARY)
    memory.remember(ROLLING)
    memory.embed()
    return memory


@pytest.mark.parametrize("asked", ["蓝绿发布", "订单服务", "回滚", "蓝绿 发布"])
def test_fc04_words_inside_an_unspaced_sentence_rank_it_first(chinese: Memory, asked: str) -> None:
    assert chinese.found(asked)[0] == CANARY


def test_fc04_a_word_of_two_characters_finds_both_and_an_absent_one_neither(chinese: Memory) -> None:
    assert set(chinese.found("发布")) == {CANARY, ROLLING}
    assert chinese.found("数据库备份") == []


@pytest.mark.parametrize(
    ("asked", "place"),
    [("app-staging", 0), ("main.yml", 0), ("infra/ansible/roles/app-staging/tasks/main.yml", 0), ("retry_policy", 1),
     ("db01", 2), ("run-book", 3), ("main.py", 4)],
)  # fmt: skip
def test_fc05_a_piece_of_a_path_module_host_or_url_finds_its_record(memory: Memory, asked: str, place: int) -> None:
    for content in PATHS:
        memory.remember(content)
    assert memory.found(asked)[0] == PATHS[place]


def test_fc05_a_part_of_a_fact_key_finds_its_record(memory: Memory) -> None:
    memory.remember("выкатываем через Ansible", fact_key="deploy.staging.method")
    memory.remember("the office is closed on Friday")
    assert memory.found("staging") == ["выкатываем через Ansible"]


@pytest.mark.parametrize(
    ("asked", "content"),
    [("gpt-4o", "default model is gpt-4o-mini"), ("GPT-4o-mini", "default model is gpt-4o-mini"),
     ("ADR 0012", "see ADR-0012 before touching billing"), ("0012", "see ADR-0012 before touching billing"),
     ("adr-0012", "see ADR-0012 before touching billing"), ("1.2.3", "upgrade to v1.2.3")],
)  # fmt: skip
def test_fc12_identifiers_are_found_by_part_and_by_other_spelling(memory: Memory, asked: str, content: str) -> None:
    for stored in ("default model is gpt-4o-mini", "see ADR-0012 before touching billing", "upgrade to v1.2.3"):
        memory.remember(stored)
    memory.embed()
    assert memory.found(asked)[0] == content


def test_fc12_c_sharp_comes_before_plain_c(memory: Memory) -> None:
    memory.remember("rewritten in C# last week")
    memory.remember("written in C")
    memory.embed()
    assert memory.found("C#")[0] == "rewritten in C# last week"


@pytest.mark.parametrize(
    ("asked", "content"),
    [("Артем", "чек-лист релиза ведёт Артём"), ("АРТЁМ", "чек-лист релиза ведёт Артём"),
     ("ведет", "чек-лист релиза ведёт Артём"), ("выкатка", "выкатку на staging делаем через Ansible"),
     ("выкатки staging", "выкатку на staging делаем через Ansible"), ("retry", "retries are idempotent")],
)  # fmt: skip
def test_fc18_yo_word_forms_and_case_do_not_matter(memory: Memory, asked: str, content: str) -> None:
    stored = ("чек-лист релиза ведёт Артём", "выкатку на staging делаем через Ansible", "retries are idempotent")
    for one in stored:
        memory.remember(one)
    memory.embed()
    assert memory.found(asked)[0] == content


def test_fc50_signs_are_literal(memory: Memory) -> None:
    for content in ("max_retry is 5", "maxXretry is 9", "скидка 100% по промокоду", "100 процентов готово", r"C:\x"):
        memory.remember(content)
    memory.embed()
    assert memory.found("max_retry") == ["max_retry is 5"]
    assert memory.found("100%")[0] == "скидка 100% по промокоду"
    assert memory.found("%") == memory.found("%%%") == ["скидка 100% по промокоду"]
    assert memory.found("_") == ["max_retry is 5"]
    assert memory.found("\\") == [r"C:\x"]
    assert memory.found("...") == []
    assert memory.found("' | !:* <-> &") == []


@pytest.mark.parametrize("query", ["", "   ", "a" * 2_001])
def test_fc50_an_empty_or_endless_question_is_refused(memory: Memory, query: str) -> None:
    with pytest.raises(Invalid):
        memory.ask(query)


def test_fc55_composed_and_decomposed_letters_are_one_word(memory: Memory) -> None:
    memory.remember("в аптечке и\u0306од и бинты")
    assert memory.found("йод") == ["в аптечке и\u0306од и бинты"]


def test_fc58_a_text_of_forty_thousand_words_is_stored_and_found_by_its_beginning(memory: Memory) -> None:
    text = " ".join(f"{i:024x}" for i in range(40_000))
    memory.remember(text)
    memory.remember("字" * 400_000)
    assert memory.found(f"{0:024x}") == [text]


def test_fc31_a_page_is_full_whatever_the_filters_took_away(memory: Memory, memory_of: Callable[[str], Memory]) -> None:
    ids = [memory.remember(f"заметка о выкатке {i:02}") for i in range(40)]
    for i in range(12):
        memory_of("ben").remember(f"заметка о выкатке {i:02}", visibility="author")
        memory.remember(f"заметка о выкатке {i:02}", workspace="другое")
        memory.remember(f"заметка о выкатке {i:02}", scope="private", workspace="третье")
    memory.embed()
    for id in ids[:33]:
        run("forget", memory.caller, {"memory_id": str(id)}, now=memory.now)
    assert len(memory.found("заметка о выкатке", limit=5, workspace="default")) == 5
    assert len(memory.found("заметка о выкатке", limit=50, workspace="default")) == 7
    assert len(memory.found("заметка о выкатке", limit=50, scope="private")) == 12
    assert len(memory.found("заметка о выкатке", limit=50, status="unverified", workspace="другое")) == 12
    assert memory.found("заметка о выкатке", limit=50, status="conflict", workspace="другое") == []


def test_fc31_meaning_is_looked_up_among_the_callers_own_records(
    memory: Memory, memory_of: Callable[[str], Memory]
) -> None:
    for i in range(150):
        memory_of("dot").remember(f"the deployment is rolled back by the on-call engineer {i}")
    for i in range(10):
        memory.remember(f"дежурный инженер откатывает неудачный релиз, случай {i}")
    memory.embed()
    memory_of("dot").embed()
    found = memory.found("who reverts a broken deployment?", limit=10)
    assert len(found) == 10
    assert all("случай" in content for content in found)


def test_fc31_no_status_that_is_left_out_takes_a_place(memory: Memory) -> None:
    for i in range(120):
        memory.remember(f"the kettle in the kitchen is blue {i}", source_hash="sha256:" + "a" * 64)
    for i in range(10):
        memory.remember(f"чайник на кухне синий {i}")
    memory.embed()
    fields = {"current_source_hash": "sha256:" + "b" * 64, "exclude_stale": True, "limit": 10}
    assert len(memory.found("what colour is the kettle in the kitchen", **fields)) == 10


def test_fc46_search_gives_nothing_that_the_lens_does_not(memory: Memory, memory_of: Callable[[str], Memory]) -> None:
    for visibility in ("author", "department", "project", "organization"):
        memory.remember(f"blue kettle for {visibility}", visibility=visibility)
    memory.embed()
    sees = {name: sorted(memory_of(name).found("blue kettle")) for name in ("ada", "ben", "cy", "dot", "eve")}
    kettle = {word: f"blue kettle for {word}" for word in ("author", "department", "project", "organization")}
    assert sees == {
        "ada": sorted(kettle.values()),
        "ben": sorted([kettle["department"], kettle["project"], kettle["organization"]]),
        "cy": sorted([kettle["project"], kettle["organization"]]),
        "dot": [kettle["organization"]],
        "eve": [],
    }


def test_a_hidden_record_changes_no_score(memory: Memory, memory_of: Callable[[str], Memory]) -> None:
    for i in range(5):
        memory.remember(f"the kettle is blue, note {i}", session="s")
    memory.embed()
    before = [(r.id, r.score) for r in memory.ask("blue kettle").results]
    for i in range(20):
        memory_of("ben").remember(f"blue kettle {i}", visibility="author", session="s")
    memory_of("ben").embed()
    assert [(r.id, r.score) for r in memory.ask("blue kettle").results] == before


def test_a_question_in_one_language_finds_a_fact_in_another(memory: Memory) -> None:
    for content in ("Backups are made every night and kept for a month.", "The office is closed on Friday."):
        memory.remember(content)
    memory.embed()
    assert memory.found("Как часто делают резервные копии?")[0] == "Backups are made every night and kept for a month."
    assert memory.found("多久做一次备份?")[0] == "Backups are made every night and kept for a month."


def test_what_is_not_there_is_not_answered_with_ten_unrelated_records(memory: Memory) -> None:
    for i in range(15):
        memory.remember(f"The night job number {i} of the billing service takes an hour.")
    memory.embed()
    assert len(memory.found("recipe for apple pie with cinnamon")) <= 2


def test_a_committed_record_is_found_by_words_at_once_and_counted_as_waiting(memory: Memory) -> None:
    memory.remember("the kettle is blue")
    answer = memory.ask("kettle")
    assert ([r.content for r in answer.results], answer.meta.semantic) == (["the kettle is blue"], 1)
    memory.embed()
    assert memory.ask("kettle").meta.semantic == "complete"


def test_without_the_embedder_words_answer_and_the_answer_says_so(memory: Memory, settings: Any) -> None:
    settings.EMBEDDINGS_URL = "http://127.0.0.1:9/v1"
    memory.remember("the kettle is blue")
    try:
        answer = memory.ask("which kettle do we have, again?")
    finally:
        embeddings.rested()
    assert ([r.content for r in answer.results], answer.meta.semantic) == (["the kettle is blue"], "unavailable")


def test_an_answer_is_found_by_the_question_said_before_it(memory: Memory) -> None:
    for content in ("ann: Which colour did the roof get?", "bob: Green, with a white edge.", "ann: Lovely!"):
        memory.remember(content, session="monday")
    memory.remember("bob: Green, with a white edge.", session="tuesday", tags=["far"])
    answer = memory.ask("what colour is the roof", explain=True)
    assert [r.content for r in answer.results][:2] == [
        "ann: Which colour did the roof get?",
        "bob: Green, with a white edge.",
    ]
    assert "said_beside" in answer.results[1].explanation.boosts


def test_the_named_record_comes_first_and_says_why(memory: Memory) -> None:
    memory.remember("deploy staging method: deploy, staging, method, deploy.staging.method")
    named = memory.remember("by hand", fact_key="deploy.staging.method")
    first = memory.ask("deploy.staging.method", explain=True).results[0]
    assert (first.id, first.explanation.boosts) == (named, ["named"])
    assert memory.ask(str(named)).results[0].id == named


def test_versions_stand_together_newest_first(memory: Memory) -> None:
    old = memory.remember("the kettle is blue and large and electric", fact_key="kitchen.kettle")
    other = memory.remember("the blue kettle of the neighbours")
    new = memory.remember("kettle: red", fact_key="kitchen.kettle")
    results = memory.ask("blue electric kettle").results
    order = [r.id for r in results]
    assert order.index(old) == order.index(new) + 1
    assert other in order
    assert results[order.index(old)].newest_version_id == new


def test_of_equals_the_newest_comes_first(memory: Memory) -> None:
    ids = [memory.remember("the kettle is blue") for _ in range(3)]
    assert [r.id for r in memory.ask("blue kettle").results] == ids[::-1]


def test_fc49_pages_by_score_are_complete_though_all_scores_are_equal(memory: Memory) -> None:
    ids = {memory.remember("the kettle is blue") for _ in range(45)}
    pages = all_pages(memory, "blue kettle", limit=10)
    walked = [record.id for page in pages for record in page.results]
    assert [len(page.results) for page in pages] == [10, 10, 10, 10, 5]
    assert (len(walked), set(walked)) == (45, ids)


def test_fc49_what_is_written_or_forgotten_between_pages_disturbs_nothing(memory: Memory) -> None:
    ids = {memory.remember(f"the kettle is blue {'and old ' * (i % 4)}") for i in range(25)}
    first = memory.ask("blue kettle", limit=10)
    memory.remember("blue kettle")
    run("forget", memory.caller, {"memory_id": str(first.results[3].id)}, now=memory.now)
    second = memory.ask("blue kettle", limit=50, cursor=first.meta.next_cursor)
    walked = [record.id for page in (first, second) for record in page.results]
    assert (len(walked), set(walked)) == (25, ids)


ENDLESS = b64encode(b'["2026-11-30T00:00:00+00:00", "00000000000000000000000000000000", Infinity, "x"]').decode()


@pytest.mark.parametrize("cursor", ["x", "bm90IG9uZQ", "W10", "🙂", ENDLESS])
def test_a_cursor_that_was_not_given_out_is_refused(memory: Memory, cursor: str) -> None:
    with pytest.raises(Invalid):
        memory.ask("kettle", cursor=cursor)


def test_a_cursor_serves_its_own_question_only(memory: Memory) -> None:
    for _ in range(3):
        memory.remember("the kettle is blue")
    cursor = memory.ask("kettle", limit=1).meta.next_cursor
    with pytest.raises(Invalid):
        memory.ask("blue", limit=1, cursor=cursor)


def test_a_search_takes_the_same_number_of_statements_however_much_it_finds(memory: Memory) -> None:
    memory.remember("the kettle is blue", session="s", fact_key="kettle")
    memory.embed()
    memory.ask("blue kettle")
    few = _statements(memory)
    for i in range(60):
        memory.remember(f"the kettle is blue {i}", session="s", fact_key=f"kettle.{i % 7}")
    memory.embed()
    assert few == _statements(memory) <= 13


def _statements(memory: Memory) -> int:
    with CaptureQueriesContext(connection) as captured:
        memory.ask("which blue kettle is it?", limit=50)
    return len(captured)


def test_a_standing_rule_comes_before_what_was_said_when_one_asks_how_to_do_it(memory: Memory) -> None:
    said = "We build the settings page on Monday afternoon"
    ruled = "Always build a settings page without tabs"
    memory.remember(ruled)
    memory.remember(said)
    memory.remember("Never commit on Friday")
    assert memory.found("settings page Monday afternoon")[0] == said
    answer = memory.ask("How should I build the settings page?", explain=True)
    assert [record.content for record in answer.results] == [ruled, said]
    assert [result.explanation.boosts for result in answer.results] == [["rule"], []]


def test_a_record_that_only_happens_to_share_a_word_is_no_answer_once_its_meaning_is_known(memory: Memory) -> None:
    memory.remember("The kettle in the kitchen is blue")
    asked = "Which insurance company pays for broken windows in the kitchen of our branch in Lisbon?"
    assert len(memory.found(asked)) == 1  # nobody knows yet what it means
    memory.embed()
    assert memory.found(asked) == []
    assert len(memory.found("kitchen")) == 1


def test_a_word_is_enough_while_the_embedder_is_down(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    memory.remember("The kettle in the kitchen is blue")
    memory.embed()
    monkeypatch.setattr("memory.search.retrieve.embed_question", lambda _: None)
    assert len(memory.found("Which insurance company pays for broken windows in the kitchen?")) == 1
