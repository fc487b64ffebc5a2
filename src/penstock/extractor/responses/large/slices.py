"""The items of a long array in a file: a sequence that decodes the part that is accessed."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, groupby
from pathlib import Path
from typing import Any, cast, overload

import msgspec

from penstock.extractor.base.decode import Decoded, NotJson, decode
from penstock.extractor.responses.large.open_array import Span

Explain = Callable[[NotJson], Exception]
"""Turns a syntax error in a file into what is raised for it."""


class Part(msgspec.Struct, frozen=True):
    """Some records, and where in the file they begin and end: `read_part` reads them again."""

    start: int
    end: int
    records: list[Any]
    dropped: int = 0
    """How many invalid bytes and escapes were dropped."""


def read_part(path: Path, start: int, end: int) -> list[Any]:
    """Raises NotJson, with the offset in the file."""
    return cast(list[Any], _decode(path, start, end).document)


class Slices(Sequence[Any]):
    """Iterating and indexing hold one part in memory; slicing holds the items and one part.

    Everything that decodes raises NotJson, or what `explain` returns for it.
    """

    def __init__(self, path: Path, spans: Sequence[Span], explain: Explain | None = None) -> None:
        self.path, self.spans, self.explain = path, spans, explain
        self._firsts = list(accumulate((span.count for span in spans), initial=0))

    @property
    def size(self) -> int:
        """Returns the size in bytes, as received."""
        return self.spans[-1].end - self.spans[0].start

    def parts(self) -> Iterator[Part]:
        return (self.read(number) for number in range(len(self.spans)))

    def __len__(self) -> int:
        return self._firsts[-1]

    def __iter__(self) -> Iterator[Any]:
        return (record for part in self.parts() for record in part.records)

    @overload
    def __getitem__(self, index: int) -> Any: ...
    @overload
    def __getitem__(self, index: slice) -> list[Any]: ...
    def __getitem__(self, index: int | slice) -> Any:
        indexes = range(len(self))[index]  # an IndexError is that of any sequence
        if isinstance(indexes, range):
            return list(self._pick(indexes))
        return next(self._pick([indexes]))

    def _pick(self, indexes: Sequence[int]) -> Iterator[Any]:
        for number, group in groupby(indexes, key=self._number_of):
            records = self.read(number).records
            yield from (records[index - self._firsts[number]] for index in group)

    def _number_of(self, index: int) -> int:
        return bisect_right(self._firsts, index) - 1

    def read(self, number: int) -> Part:
        """Returns the n-th part; all other access goes through this method."""
        try:
            return self._read(self.spans[number])
        except NotJson as error:
            if self.explain is None:
                raise
            raise self.explain(error) from error

    def _read(self, span: Span) -> Part:
        decoded = _decode(self.path, span.start, span.end)
        records = cast(list[Any], decoded.document)
        if len(records) != span.count:  # only white space: there is a comma too many before or after it
            raise NotJson("a value is missing next to a comma", span.start)
        return Part(span.start, span.end, records, decoded.dropped)


def open_slices(path: Path, spans: list[Span], explain: Explain | None = None) -> Slices:
    """Opens slices of scanned spans; whether a single span has an item or none is found by decoding it."""
    first = spans[0]
    if len(spans) == 1 and first.count == 1:
        spans = [Span(first.start, first.end, len(read_part(path, first.start, first.end)))]
    return Slices(path, spans, explain)


def _decode(path: Path, start: int, end: int) -> Decoded:
    with path.open("rb") as file:
        file.seek(start)
        text = b"[%s]" % file.read(end - start)
    try:
        return decode(text)
    except NotJson as error:
        raise NotJson(str(error), start + max(error.at - 1, 0), error.family) from error
