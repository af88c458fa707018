"""What goes into a budget: never more than fits, nothing twice, and what stays out is named with its size."""

from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.packing import Filled, Left, Piece, fill
from memory.search import tokens


def pieces(*texts: str) -> list[Piece]:
    return [Piece(UUID(int=number), len(text), text) for number, text in enumerate(texts, 1)]


def told(filled: Filled) -> tuple[list[int], list[tuple[int, str]], int]:
    return [one.id.int for one in filled.taken], [(one.id.int, one.why) for one in filled.left], filled.used


def test_the_best_come_first_and_a_smaller_one_may_fill_the_gap() -> None:
    filled = fill(pieces("aaaa", "bbbbb", "c", "ddddddddd"), budget=6)
    assert told(filled) == ([1, 3], [(2, "budget_used_up"), (4, "larger_than_budget")], 5)


def test_the_same_content_is_packed_once() -> None:
    assert told(fill(pieces("aa", "aa"), budget=9)) == ([1], [(2, "same_content")], 2)


def test_what_did_not_fit_is_named_with_its_size() -> None:
    assert fill(pieces("aaa"), budget=2).left == [Left(UUID(int=1), 3, "larger_than_budget")]


@given(st.lists(st.text(max_size=12), max_size=30), st.integers(min_value=1, max_value=60))
def test_a_pack_never_exceeds_its_budget_and_loses_no_candidate(texts: list[str], budget: int) -> None:
    offered = pieces(*texts)
    filled = fill(offered, budget=budget)
    assert filled.used == sum(one.tokens for one in filled.taken) <= budget
    assert [one for one in offered if one in filled.taken] == filled.taken
    assert sorted([one.id.int for one in filled.taken] + [one.id.int for one in filled.left]) == [
        one.id.int for one in offered
    ]


SIGNS = st.sampled_from("ab. \n\r\t'/0部ё") | st.characters(codec="utf-8")


@settings(max_examples=200, deadline=None)
@given(heading=st.text(SIGNS, max_size=20), content=st.text(SIGNS, max_size=40))
def test_a_heading_and_what_stands_below_it_can_be_counted_apart(heading: str, content: str) -> None:
    path = f"apollo/{heading.replace(chr(10), '').replace(chr(13), '')}.md"
    assert tokens.count(f"{path}\n{content}\n") == tokens.count(path) + tokens.count_below(content)


def test_tokens_are_counted_by_a_real_tokenizer_in_every_language() -> None:
    assert [tokens.count(text) for text in ("", "staging", "стенд", "部署", "<|endoftext|>")] == [0, 2, 2, 1, 7]


@pytest.mark.parametrize("sign", ["a", "部署", "\u0378", "😀\U0010fffd"])
def test_the_longest_record_can_be_counted_in_any_letters(sign: str) -> None:
    assert tokens.count(sign * (1_048_576 // len(sign))) > 1000
