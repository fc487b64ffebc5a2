"""A full-text index in memory, ranked by BM25. It is immutable once it is built, so threads share it."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable
from heapq import nlargest

import msgspec

from penstock.services.ai.search.words import list_words

SATURATION, LENGTH_WEIGHT = 1.2, 0.75
"""`k1` and `b` of BM25: how soon repetitions of a word stop to count, and how much long texts are marked down."""
TITLE_WEIGHT = 4
"""How many times a word of the title counts."""
WORDS_OF_A_QUERY = 64


class Passage(msgspec.Struct, frozen=True, kw_only=True):
    """Something that can be found: a component, or a section of a page."""

    key: str
    title: str
    text: str
    keywords: str = ""
    """Words by which it is found besides, and which count like those of the title."""


class Hit(msgspec.Struct, frozen=True):
    passage: Passage
    score: float
    """From 0 to 1: the part of what a text with all words of the query, often, would get."""


class Index:
    def __init__(self, passages: Iterable[Passage]) -> None:
        self._passages = tuple(passages)
        counts = [_count_words(passage) for passage in self._passages]
        lengths = [sum(each.values()) for each in counts]
        average = sum(lengths) / len(lengths) if lengths else 1.0
        self._weights: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for number, (words, length) in enumerate(zip(counts, lengths, strict=True)):
            norm = SATURATION * (1 - LENGTH_WEIGHT + LENGTH_WEIGHT * length / average)
            for word, count in words.items():
                self._weights[word].append((number, count * (SATURATION + 1) / (count + norm)))

    def find(self, query: str, most: int) -> list[Hit]:
        """The best first; nothing if no word of the query is in any of them."""
        words = list(dict.fromkeys(list_words(query)))[:WORDS_OF_A_QUERY]
        scores: dict[int, float] = defaultdict(float)
        attainable = 0.0
        for word in words:
            found = self._weights.get(word, [])
            rarity = self._rarity(len(found))
            attainable += rarity * (SATURATION + 1)
            for number, weight in found:
                scores[number] += rarity * weight
        best = nlargest(most, scores.items(), key=lambda item: (item[1], -item[0]))
        return [Hit(self._passages[number], round(score / attainable, 4)) for number, score in best]

    def _rarity(self, count: int) -> float:
        """The inverse document frequency: a word that few texts have says more."""
        return math.log(1 + (len(self._passages) - count + 0.5) / (count + 0.5))


def _count_words(passage: Passage) -> Counter[str]:
    counted = Counter(list_words(passage.text))
    for word in list_words(f"{passage.title} {passage.keywords}"):
        counted[word] += TITLE_WEIGHT
    return counted
