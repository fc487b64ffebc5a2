"""Finds secrets in a text, also encoded ones: escapes and base64, nested several levels deep."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import accumulate

from penstock.foundation.redaction.base64_runs import (
    ALIGNMENTS,
    decode_runs,
    decoded_pieces,
    find_texts,
    join_texts,
    list_runs,
    locate_runs,
    text_pieces,
)
from penstock.foundation.redaction.escapes import LINE_BREAKS
from penstock.foundation.redaction.forms import Forms, stands_alone
from penstock.foundation.redaction.lines import split_lines
from penstock.foundation.redaction.pieces import Span, trace
from penstock.foundation.redaction.views import list_views, unescape_all

DEPTH = 4
"""Levels of encoding that are decoded: three of an API, and one of our own log."""
_LONG_ENOUGH = 32
"""So many readable characters in a row are a text, not random bytes."""
_RUNS_KEPT, _LONGEST_RUN_KEPT = 10_000, 64


class Search:
    """Searches many texts for the same secrets; caches which words are not base64 of one."""

    def __init__(self, forms: Forms) -> None:
        self._forms = forms
        self._shortest = min(forms.shortest, _LONG_ENOUGH)
        self._harmless: list[set[bytes]] = [set() for _ in range(DEPTH + 1)]
        """Runs of base64 characters without a secret, by the number of levels that were decoded."""

    def find(self, content: bytes) -> list[Span]:
        """Where secrets are, in order; spans that overlap are one."""
        if not self._forms.longest or not self._may_contain(content, DEPTH):
            return []
        if self._forms.has_lines or b"\n" not in content:
            return _merge(self.find_in_views(content))
        return _merge(self._find_in_lines(content))

    def _find_in_lines(self, content: bytes) -> Iterator[Span]:
        """Searches only the lines that need a thorough search."""
        for at, part in split_lines(content):
            if self._may_contain(part, DEPTH):
                yield from ((at + start, at + end) for start, end in self.find_in_views(part))

    def _may_contain(self, content: bytes, depth: int) -> bool:
        """Whether a thorough search may find something: a quick check that spares it for most texts."""
        forms = self._forms
        if forms.find(content) or forms.find_short(content) or self._find_in_base64(content, depth):
            return True
        views = unescape_all(content, depth)
        return any(forms.may_be_in(view) or self._find_in_base64(view, depth) for view in views)

    def find_in_views(self, content: bytes, depth: int = DEPTH) -> set[Span]:
        """The thorough search: in every view."""
        found: set[Span] = set()
        for view in list_views(content, depth):
            found.update(view.trace(self._forms.find(view.content)))
            found.update(view.trace(self._find_in_base64(view.content, depth - view.depth)))
            if depth == DEPTH:
                short = view.trace(self._forms.find_short(view.content))
                found.update(span for span in short if stands_alone(content, span))
        return found

    def _find_in_base64(self, content: bytes, depth: int) -> list[Span]:
        """Lines are joined first. All base64 in them is still found, because it may begin anywhere in a run."""
        if not self._shortest or not depth:
            return []
        spans = self._find_in_joined(LINE_BREAKS.decode(content), depth)
        return trace(LINE_BREAKS.pieces(content), spans) if spans and LINE_BREAKS.lead in content else spans

    def _find_in_joined(self, content: bytes, depth: int) -> list[Span]:
        harmless = self._harmless[depth]
        runs = list_runs(content, self._shortest) - harmless
        if not runs:
            return []
        found = self._find_in_runs(sorted(runs), depth - 1)
        if len(harmless) > _RUNS_KEPT:
            harmless.clear()
        harmless.update(run for run in runs - found.keys() if len(run) <= _LONGEST_RUN_KEPT)
        return locate_runs(content, found) if found else []

    def _find_in_runs(self, runs: list[bytes], depth: int) -> dict[bytes, list[Span]]:
        """The spans in each run that holds a secret."""
        starts = list(accumulate(map(len, runs), initial=0))
        found: dict[bytes, list[Span]] = defaultdict(list)
        for first in ALIGNMENTS:
            decoded = decode_runs(runs, first)
            if spans := self._find_decoded(decoded, depth):
                for start, end in trace(decoded_pieces(runs, first), spans):
                    index = bisect_right(starts, start) - 1
                    found[runs[index]].append((start - starts[index], end - starts[index]))
        return found

    def _find_decoded(self, decoded: bytes, depth: int) -> list[Span]:
        found = self._forms.find(decoded)
        texts = find_texts(decoded, self._shortest) if depth else []
        if texts:
            found += trace(text_pieces(texts), self._find_again(join_texts(decoded, texts), depth))
        return found

    def _find_again(self, text: bytes, depth: int) -> list[Span]:
        return list(self.find_in_views(text, depth)) if self._may_contain(text, depth) else []


def _merge(spans: Iterable[Span]) -> list[Span]:
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged
