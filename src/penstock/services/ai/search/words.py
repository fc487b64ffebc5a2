"""A text as the words that are compared: in lower case, without accents, endings and words that every text has."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from penstock.services.ai.search.vocabulary import stop_words

_WORD = re.compile(r"[^\W_]+")
_BACKUP = re.compile(r"\bback(?:s|ing|ed)? up\b")
_ACCENT = re.compile(r"[\u0300-\u036f]")
_ENDINGS = (
    ("ies", "y"),
    ("ied", "y"),
    *((f"at{ending}", "") for ending in ("es", "e", "ed", "ing", "or", "ion")),
    ("es", ""),
    ("s", ""),
    ("ing", ""),
    ("ed", ""),
    ("ion", ""),
    ("or", ""),
    ("er", ""),
)
_DOUBLED = re.compile(r"([bdfgmnprt])\1$")
_MIN_STEM = 3


def list_words(text: str) -> list[str]:
    stop = stop_words("en")
    return [stem(word) for word in split_words(text) if word not in stop]


def split_words(text: str) -> list[str]:
    """Split a text into its words as they are written, in lower case and without accents."""
    return _WORD.findall(_BACKUP.sub("backup", fold(text).replace("e-mail", "email").replace("e-shop", "eshop")))


def fold(text: str) -> str:
    """Put a text in lower case and remove its accents: many users type without them."""
    if text.isascii():
        return text.lower()
    return _ACCENT.sub("", unicodedata.normalize("NFKD", text.casefold()))


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """Reduce a word: `tables` and `table` are one, and so are `extractors`, `extracted` and `extraction`."""
    while (shorter := _without_ending(word)) != word:
        word = shorter
    return word[:-1] if word.endswith("e") and len(word) > _MIN_STEM else word


def _without_ending(word: str) -> str:
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and not word.endswith("ss") and len(word) - len(ending) >= _MIN_STEM:
            shorter = word[: -len(ending)] + instead
            return shorter if instead or ending in ("es", "s") else _DOUBLED.sub(r"\1", shorter)
    return word
