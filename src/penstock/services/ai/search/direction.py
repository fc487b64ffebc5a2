"""Where data goes, as a wish says it: `from our shop` asks for an extractor, `to our shop` for a writer."""

from __future__ import annotations

from collections.abc import Callable

from penstock.services.ai.search.queries import guess_language
from penstock.services.ai.search.vocabulary import stop_words, translate
from penstock.services.ai.search.words import split_words, stem

EXTRACTOR, WRITER = "extractor", "writer"
"""The types of components, as the registry names them."""

_FROM = {
    "en": ("from",),
    "cs": ("z", "ze", "od"),
    "de": ("von", "vom", "aus"),
    "es": ("de", "del", "desde"),
    "fr": ("de", "du", "des", "d", "depuis"),
}
_TO = {
    "en": ("to", "into", "towards"),
    "cs": ("do", "na"),
    "de": ("an", "ans", "nach", "zu", "zum", "zur", "ins"),
    "es": ("a", "al", "hacia"),
    "fr": ("a", "au", "aux", "vers"),
}
_OUTSIDE_TEXT = "api rest http web website site service shop system external crm erp endpoint url"
_OUTSIDE = frozenset(stem(word) for word in _OUTSIDE_TEXT.split())
_DISTANCE = 4
"""Words between a preposition and what it belongs to."""


def guess_type(wish: str, is_known: Callable[[str], bool]) -> str | None:
    """Guess from the preposition before the first word for something outside the platform; None if there is none.

    A word that no component knows is taken for the name of something outside."""
    words = split_words(wish)
    language = guess_language(words, is_known)
    for number, word in enumerate(words):
        if word in stop_words(language) or not _is_outside(word, language, is_known):
            continue
        for before in reversed(words[max(0, number - _DISTANCE) : number]):
            if before in _FROM[language]:
                return EXTRACTOR
            if before in _TO[language]:
                return WRITER
    return None


def _is_outside(word: str, language: str, is_known: Callable[[str], bool]) -> bool:
    translations = translate(word, language) if language != "en" else ()
    stems = {stem(each.lower()) for each in translations} or {stem(word)}
    return bool(stems & _OUTSIDE) or not any(map(is_known, stems))
