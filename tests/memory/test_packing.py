"""What goes into a budget: never more than fits, nothing twice, and what stays out is named with its size."""

from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from memory.packing import Filled, Left, Piece, Sized, fill
from memory.search import tokens


def pieces(*texts: str) -> list[Piece]:
    return [Piece(UUID(int=number), text, text) for number, text in enumerate(texts, 1)]


def told(filled: Filled) -> tuple[list[int], list[tuple[int, str]], int]:
    return [one.piece.id.int for one in filled.taken], [(one.id.int, one.why) for one in filled.left], filled.used


def test_the_best_come_first_and_a_smaller_one_may_fill_the_gap() -> None:
    filled = fill(pieces("aaaa", "bbbbb", "c", "ddddddddd"), budget=6, count=len)
    assert told(filled) == ([1, 3], [(2, "budget_used_up"), (4, "larger_than_budget")], 5)


def test_the_same_content_is_packed_once() -> None:
    assert told(fill(pieces("aa", "aa"), budget=9, count=len)) == ([1], [(2, "same_content")], 2)


def test_what_did_not_fit_is_named_with_its_size() -> None:
    assert fill(pieces("aaa"), budget=2, count=len).left == [Left(UUID(int=1), 3, "larger_than_budget")]


@given(st.lists(st.text(max_size=200), max_size=30), st.integers(min_value=1, max_value=300))
def test_a_pack_never_exceeds_its_budget_and_loses_no_candidate(texts: list[str], budget: int) -> None:
    offered = pieces(*texts)
    filled = fill(offered, budget=budget, count=tokens.count)
    assert filled.used == sum(one.tokens for one in filled.taken) <= budget
    assert filled.taken == [Sized(one.piece, tokens.count(one.piece.text)) for one in filled.taken]
    assert {one.piece.id for one in filled.taken} | {one.id for one in filled.left} == {one.id for one in offered}


def test_tokens_are_counted_by_a_real_tokenizer_in_every_language() -> None:
    assert [tokens.count(text) for text in ("", "staging", "стенд", "部署", "<|endoftext|>")] == [0, 2, 2, 1, 7]


def test_the_longest_record_can_be_counted() -> None:
    assert tokens.count("a" * 1_048_576) > 1000
