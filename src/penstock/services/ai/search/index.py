"""A full-text index in memory, ranked by BM25. It is immutable once it is built, so threads share it."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable
from heapq import nlargest

import msgspec

from penstock.services.ai.search.queries import Term, read_query
from penstock.services.ai.search.words import list_words

SATURATION = 1.2
"""`k1` of BM25: how soon repetitions of a word stop to count."""
FIELDS = {"text": (1.0, 0.75), "title": (3.0, 0.4), "keywords": (2.5, 0.4)}
"""How much a word of a field counts, and how much a long field is marked down: `b` of BM25."""


class Passage(msgspec.Struct, frozen=True, kw_only=True):
    """Something that can be found: a component, or a section of a page."""

    key: str
    title: str
    text: str
    keywords: str = ""
    """Words by which it is found besides."""
    weight: float = 1.0
    """Below 1 for texts that have many words and answer few questions."""


class Hit(msgspec.Struct, frozen=True):
    passage: Passage
    score: float
    """From 0 to 1: the part of what a text with all words of the query, often, would get."""


class Index:
    def __init__(self, passages: Iterable[Passage]) -> None:
        self._passages = tuple(passages)
        self._by_key = {passage.key: passage for passage in self._passages}
        counts: list[dict[str, float]] = [defaultdict(float) for _ in self._passages]
        for field, (weight, length_weight) in FIELDS.items():
            _count_field(self._passages, field, weight, length_weight, counts)
        self._weights: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for number, words in enumerate(counts):
            for word, count in words.items():
                self._weights[word].append((number, count * (SATURATION + 1) / (count + SATURATION)))

    def find(self, query: str, most: int) -> list[Hit]:
        """List the best first; nothing if no word of the query is in any of them."""
        scores: dict[int, float] = defaultdict(float)
        attainable = 0.0
        for term in read_query(query, self.knows):
            attainable += max(self._rarity(word) * weight for word, weight in term.items()) * (SATURATION + 1)
            for number, score in self._score(term).items():
                scores[number] += score * self._passages[number].weight
        best = nlargest(most, scores.items(), key=lambda item: (item[1], -item[0]))
        return [Hit(self._passages[number], round(score / attainable, 4)) for number, score in best]

    def get(self, key: str) -> Passage | None:
        return self._by_key.get(key)

    def knows(self, word: str) -> bool:
        """Tell whether a text has this stem."""
        return word in self._weights

    def _score(self, term: Term) -> dict[int, float]:
        scores: dict[int, float] = {}
        for word, weight in term.items():
            rarity = self._rarity(word) * weight
            for number, count in self._weights.get(word, ()):
                scores[number] = max(scores.get(number, 0.0), rarity * count)
        return scores

    def _rarity(self, word: str) -> float:
        """Compute the inverse document frequency: a word that few texts have says more."""
        count = len(self._weights.get(word, ()))
        return math.log(1 + (len(self._passages) - count + 0.5) / (count + 0.5))


def _count_field(
    passages: Iterable[Passage], field: str, weight: float, length_weight: float, counts: list[dict[str, float]]
) -> None:
    """Add the words of a field to the counts, each for less the longer the field is."""
    words = [list_words(getattr(passage, field)) for passage in passages]
    average = sum(map(len, words)) / max(1, sum(map(bool, words))) or 1.0
    for number, each in enumerate(words):
        norm = 1 - length_weight + length_weight * len(each) / average
        for word, count in Counter(each).items():
            counts[number][word] += weight * count / norm
