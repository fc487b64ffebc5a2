"""A question as terms: each word with its translations and synonyms, which count less than the word itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

from penstock.services.ai.search.vocabulary import LANGUAGES, stop_words, synonyms, translate
from penstock.services.ai.search.words import list_words, split_words, stem

Term = dict[str, float]
"""Stems that mean the same, with their weights; a text is as good as the best of them that it has."""

SYNONYM_WEIGHT = 0.5
MAX_TERMS = 64
MAX_WORDS = 400


def read_query(text: str, is_known: Callable[[str], bool]) -> list[Term]:
    """Make the terms of a question. `is_known` tells which stems the texts have."""
    words = split_words(text)[:MAX_WORDS]
    language = guess_language(words, is_known)
    terms = [_term(word, language) for word in words if word not in stop_words(language)]
    distinct = {frozenset(term): term for term in terms if term}
    english = [word for term in distinct.values() for word in term] if language != "en" else list(map(stem, words))
    return [*map(_widen, distinct.values()), *_phrases(english)][:MAX_TERMS]


def guess_language(words: list[str], is_known: Callable[[str], bool]) -> str:
    """Guess by stop words, and by words that no text has but the lexicon of a language does."""
    unknown = {word for word in words if not is_known(stem(word))}
    english = sum(word in stop_words("en") for word in words)
    counts = {
        language: sum(
            word in stop_words(language) or (word in unknown and bool(translate(word, language))) for word in words
        )
        for language in LANGUAGES
    }
    best = max(LANGUAGES, key=lambda language: counts[language])
    return best if counts[best] > english else "en"


def _term(word: str, language: str) -> Term:
    translations = translate(word, language) if language != "en" else ()
    return {stem(each.lower()): 1.0 for each in translations} or {stem(word): 1.0}


def _widen(term: Term) -> Term:
    more = {stem: SYNONYM_WEIGHT * weight for word, weight in term.items() for stem in _synonyms().get((word,), ())}
    return more | term


def _phrases(words: list[str]) -> Iterator[Term]:
    """The synonyms of phrases, and of words that are not terms because they are stop words."""
    stop = {stem(word) for word in stop_words("en")}
    longest = max(map(len, _synonyms()))
    for start in range(len(words)):
        for size in range(1, longest + 1):
            phrase = tuple(words[start : start + size])
            if len(phrase) == size and phrase in _synonyms() and (size > 1 or phrase[0] in stop):
                yield dict.fromkeys(_synonyms()[phrase], SYNONYM_WEIGHT)


@cache
def _synonyms() -> dict[tuple[str, ...], tuple[str, ...]]:
    found: dict[tuple[str, ...], tuple[str, ...]] = {}
    for phrase, words in synonyms():
        key = tuple(map(stem, split_words(phrase)))
        found[key] = (*found.get(key, ()), *(word for word in list_words(words) if (word,) != key))
    return found
