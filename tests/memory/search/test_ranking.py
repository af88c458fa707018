"""The order of records, judged without a database."""

from datetime import UTC, datetime
from uuid import UUID

import pytest

from memory.search.paging import Place, next_cursor, read_cursor, rest_after
from memory.search.ranking import RULED, Evidence, Match, rarities, scores
from memory.search.scripts import Script, script_of
from orgs.errors import Invalid

A, B, C, D = (UUID(int=n) for n in range(1, 5))
NOW = datetime(2026, 3, 1, tzinfo=UTC)


def order(evidence: Evidence) -> list[UUID]:
    found = scores(evidence)
    return sorted(found, key=lambda id: -found[id].total)


def test_a_rare_word_counts_more_than_a_common_one() -> None:
    matches = {A: Match(0b01, 30, None), B: Match(0b10, 30, None)}
    assert order(Evidence(matches, spread=(1, 90), matching=90)) == [A, B]


def test_more_of_the_question_counts_more_than_one_word_of_it() -> None:
    matches = {A: Match(0b01, 30, None), B: Match(0b11, 30, None)}
    assert order(Evidence(matches, spread=(2, 2), matching=3)) == [B, A]


def test_a_brief_record_counts_more_than_a_long_one() -> None:
    matches = {A: Match(1, 300, None), B: Match(1, 10, None)}
    assert order(Evidence(matches, spread=(2,), matching=2)) == [B, A]


def test_a_side_with_nothing_to_say_changes_nothing() -> None:
    by_meaning = {A: Match(0, 0, 0.3), B: Match(0, 0, 0.6), C: Match(0, 0, 0.5)}
    words_nowhere = Evidence(by_meaning, spread=(0, 0, 0), matching=0)
    assert order(words_nowhere) == order(Evidence(by_meaning)) == [B, C, A]
    by_words = {A: Match(0b11, 30, None), B: Match(0b01, 30, None)}
    assert order(Evidence(by_words, spread=(2, 1), matching=2)) == [A, B]


def test_a_neighbours_word_counts_less_than_ones_own_and_only_once() -> None:
    matches = {A: Match(1, 30, None), B: Match(0, 30, None), C: Match(1, 30, None)}
    found = scores(Evidence(matches, spread=(2,), matching=2, rows=[[A, B, C]]))
    assert found[A].total == found[C].total == found[A].own_words
    assert 0 < found[B].total < found[A].total
    assert found[B].own_words == 0


def test_the_turn_before_counts_more_than_the_turn_after() -> None:
    matches = {A: Match(0, 30, None), B: Match(1, 30, None), C: Match(0, 30, None)}
    found = scores(Evidence(matches, spread=(1,), matching=1, rows=[[A, B, C]]))
    assert found[C].total > found[A].total > 0


def test_a_word_that_all_have_counts_next_to_nothing() -> None:
    rare, common, absent = rarities(Evidence({}, spread=(1, 200, 0), matching=200))
    assert absent > rare > 4 * common > 0


def test_a_rule_counts_more_for_a_request_and_is_no_word_of_it() -> None:
    said, ruled = Match(0b01, 30, 0.3), Match(0b11, 30, 0.3)
    found = scores(Evidence({A: said, B: ruled}, spread=(2, 1), matching=2, rule=True))
    assert found[B].total == pytest.approx(RULED * found[A].total)
    assert (found[B].words, found[B].ruled, found[A].ruled) == (found[A].words, True, False)
    alone = scores(Evidence({A: Match(0b10, 30, None)}, spread=(0, 1), matching=0, rule=True))
    assert alone[A].total == alone[A].own_words == 0


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("Where is it?", Script.LATIN),
        ("Где это лежит, в Ansible?", Script.CYRILLIC),
        ("Ansible 放在哪里", Script.UNSPACED),
        ("12 %", Script.OTHER),
        ("", Script.OTHER),
    ],
)
def test_a_text_is_of_the_script_of_most_of_its_letters(text: str, script: Script) -> None:
    assert script_of(text) is script


def test_a_cursor_brings_its_place_back() -> None:
    place = Place(NOW, A, 10)
    assert read_cursor(next_cursor(place, asked="q"), asked="q") == place
    with pytest.raises(Invalid):
        read_cursor(next_cursor(place, asked="q"), asked="another")


@pytest.mark.parametrize(("ids", "start"), [([A, B, C], 2), ([B, A, C, D], 1), ([A, C, D], 2), ([], 0)])
def test_the_next_page_begins_after_the_last_record_or_after_as_many(ids: list[UUID], start: int) -> None:
    assert rest_after(Place(NOW, B, 2), ids) == start
