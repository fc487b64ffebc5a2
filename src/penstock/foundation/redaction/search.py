"""Finds secrets in a text, also encoded ones: escapes and base64, nested several levels deep."""

from __future__ import annotations

import re
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
from penstock.foundation.redaction.pieces import Span, merge, trace
from penstock.foundation.redaction.views import list_views, unescape_all

Part = tuple[int, bytes]
"""Where it begins in the text, and its content."""
_WRAPPED = re.compile(rb"(?<!\S)\S++(?:[\r\n][\r\n\t ]*+\S++)++")

DEPTH = 4
"""Levels of encoding that are decoded: three of an API, and one of our own log."""
_LONG_ENOUGH = 32
"""So many readable characters in a row are a text, not random bytes."""
_RUNS_KEPT, _MAX_RUN_KEPT = 10_000, 64


def list_lines(content: bytes) -> list[Part]:
    parts: list[Part] = []
    at = 0
    for line in content.split(b"\n"):
        parts.append((at, line))
        at += len(line) + 1
    return parts


def list_wrapped(content: bytes) -> list[Part]:
    """Words with nothing but a line break between them: base64 may continue from one to the next."""
    return [(match.start(), match[0]) for match in _WRAPPED.finditer(content)]


class Search:
    """Searches many texts for the same secrets; caches which words are not base64 of one."""

    def __init__(self, forms: Forms) -> None:
        self._forms = forms
        self._shortest = min(forms.shortest, _LONG_ENOUGH)
        self._harmless: list[set[bytes]] = [set() for _ in range(DEPTH + 1)]
        """Runs of base64 characters without a secret, by the number of levels that were decoded."""

    def find(self, content: bytes) -> list[Span]:
        """Return where secrets are, in order; spans that overlap are one."""
        if not self._forms.longest:
            return []
        is_one_part = self._forms.has_lines or b"\n" not in content
        return merge(self._find(content, DEPTH) if is_one_part else self._find_in_lines(content))

    def _find(self, content: bytes, depth: int) -> Iterable[Span]:
        plain = self._find_plain(content, depth)
        return self.find_in_views(content, depth) if plain is None else plain

    def _find_in_lines(self, content: bytes) -> Iterable[Span]:
        """Searches only the lines that need a thorough search."""
        plain = self._find_plain(content, DEPTH)
        return self._find_in_parts(self._list_parts(content)) if plain is None else plain

    def _list_parts(self, content: bytes) -> list[Part]:
        words = list_wrapped(content)
        is_plain = self._find_plain(b" ".join(word for _, word in words), DEPTH) is not None
        return list_lines(content) if is_plain else list_lines(content) + words

    def _find_in_parts(self, parts: list[Part]) -> Iterator[Span]:
        for at, part in parts:
            yield from ((at + start, at + end) for start, end in self._find(part, DEPTH))

    def _find_plain(self, content: bytes, depth: int) -> list[Span] | None:
        """The secrets that are not encoded; None if a thorough search may find more. It spares that for most texts."""
        if self._find_in_base64(content, depth):
            return None
        found, short = self._forms.find(content), self._forms.find_short(content)
        known = self._forms.count_known(content, found)
        for view in unescape_all(content, depth):
            if short or self._forms.may_be_in(view, known) or self._find_in_base64(view, depth):
                return None
        return found + short if depth == DEPTH else found

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
        harmless.update(run for run in runs - found.keys() if len(run) <= _MAX_RUN_KEPT)
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
            found += trace(text_pieces(texts), self._find(join_texts(decoded, texts), depth))
        return found
