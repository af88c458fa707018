"""How many tokens a text takes, counted by a real tokenizer that needs no network."""

import warnings
from functools import cache
from typing import Any

TOKENIZER = "o200k_base"
_AT_ONCE = 50_000  # characters, at most 4 tokens each, and the library refuses 200,000; a cut can only add a token


@cache
def _encoding() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # how the library opens its own files
        import bpe_openai

        return bpe_openai.get_encoding(TOKENIZER)


def load() -> None:
    """Read the tokenizer's tables, which takes a second; done once a process."""
    _encoding()


def count_below(content: str) -> int:
    """Return the tokens of a content that stands on lines of its own: none reaches over the end of a line above.

    So what a heading line takes, and what stands below it, can be counted apart and added.
    """
    return count(f"\n{content}\n")


def count(text: str) -> int:
    """Return the number of tokens of a text; words that look like control tokens are read as text."""
    pieces = range(0, len(text), _AT_ONCE)
    return sum(len(_encoding().encode_ordinary(text[start : start + _AT_ONCE])) for start in pieces)
