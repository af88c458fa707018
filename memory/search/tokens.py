"""How many tokens a text takes, counted by a real tokenizer that needs no network."""

import warnings
from functools import cache
from typing import Any

TOKENIZER = "o200k_base"
_AT_ONCE = 500_000  # characters; a cut in between can only add a token, so a sum is never too low


@cache
def _encoding() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # how the library opens its own files
        import bpe_openai

        return bpe_openai.get_encoding(TOKENIZER)


def count(text: str) -> int:
    """Return the number of tokens of a text; words that look like control tokens are read as text."""
    pieces = range(0, len(text), _AT_ONCE)
    return sum(len(_encoding().encode_ordinary(text[start : start + _AT_ONCE])) for start in pieces)
