"""A text as the words that are compared: in lower case, without endings and without words that every text has."""

from __future__ import annotations

import re
from functools import lru_cache

_WORD = re.compile(r"[^\W_]+")
_STOP_TEXT = """a about an and any are as at be by can do does for from get has have how i in into is it its my of on
one or our that the their them then there this to use want what when where which who why will with you your"""
_STOP = frozenset(_STOP_TEXT.split())
_ENDINGS = (
    ("ies", "y"),
    ("es", ""),
    ("s", ""),
    ("ing", ""),
    ("ed", ""),
    ("ation", ""),
    ("ion", ""),
    ("or", ""),
    ("er", ""),
)
_SHORTEST_STEM = 3


def list_words(text: str) -> list[str]:
    return [_stem(word) for word in _WORD.findall(text.lower()) if word not in _STOP]


@lru_cache(maxsize=50_000)
def _stem(word: str) -> str:
    """`tables` and `table` are one word, and so are `extractors`, `extracted` and `extraction`."""
    while (shorter := _without_ending(word)) != word:
        word = shorter
    return word[:-1] if word.endswith("e") and len(word) > _SHORTEST_STEM else word


def _without_ending(word: str) -> str:
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and not word.endswith("ss") and len(word) - len(ending) >= _SHORTEST_STEM:
            return word[: -len(ending)] + instead
    return word
