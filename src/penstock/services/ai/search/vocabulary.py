"""The words of users, as data: stop words and words of the field in five languages, synonyms, and topics of pages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

LANGUAGES = ("cs", "de", "es", "fr")
"""In which questions are understood besides English, in the order of the columns of `lexicon.txt`."""
_WHOLE_WORD = "$"
_MIN_PART = 4
"""Of a compound: shorter parts are endings and syllables."""


@cache
def stop_words(language: str) -> frozenset[str]:
    lines = (line.partition(":") for line in _lines("stopwords.txt"))
    return frozenset(word for name, _, words in lines if name == language for word in words.split())


@cache
def lexicon(language: str) -> dict[str, tuple[str, ...]]:
    """Read the English words by the beginnings of words in a language."""
    column = LANGUAGES.index(language) + 1
    entries: dict[str, list[str]] = defaultdict(list)
    for line in _lines("lexicon.txt"):
        cells = [cell.split() for cell in line.split("|")]
        for beginning in cells[column]:
            entries[beginning] += cells[0]
    return {beginning: tuple(dict.fromkeys(words)) for beginning, words in entries.items()}


@cache
def translate(word: str, language: str) -> tuple[str, ...]:
    """Look up the longest beginning of a word; nothing if the lexicon does not have it."""
    entries = lexicon(language)
    if whole := entries.get(word + _WHOLE_WORD):
        return whole
    beginnings = (word[:size] for size in range(len(word), 1, -1))
    return next((entries[each] for each in beginnings if each in entries), ()) or (
        _translate_compound(word) if language == "de" else ()
    )


def _translate_compound(word: str) -> tuple[str, ...]:
    """Look up what a German compound is a kind of: its last part, as `daten` of `wetterdaten`."""
    entries = lexicon("de")
    for start in range(_MIN_PART, len(word) - _MIN_PART + 1):
        last = word[start:]
        beginnings = (last[:size] for size in range(len(last), _MIN_PART - 1, -1))
        names = [name for each in beginnings for name in (each, f"{each}{_WHOLE_WORD}") if name in entries]
        if names and (not names[0].endswith(_WHOLE_WORD) or names[0] == last + _WHOLE_WORD):
            return entries[names[0]]
    return ()


def synonyms() -> Iterator[tuple[str, str]]:
    """Read each word or phrase of users with the words that texts have for it."""
    for line in _lines("synonyms.txt"):
        phrases, _, words = line.partition(":")
        for phrase in phrases.split(","):
            yield phrase, words


@cache
def topics(kind: str) -> dict[str, str]:
    """Read the words by which pages (`page`) or components (`component`) are asked for, by path or id."""
    lines = (line.partition(" ") for line in _lines("topics.txt"))
    parts = (rest.partition(": ") for name, _, rest in lines if name == kind)
    return {key: words for key, _, words in parts}


def _lines(name: str) -> Iterator[str]:
    text = files("penstock.services.ai.search").joinpath("data", name).read_text(encoding="utf-8")
    return (line for line in text.splitlines() if line.strip() and not line.startswith("#"))
