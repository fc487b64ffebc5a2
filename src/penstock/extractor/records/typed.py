"""Pages read straight into columns, once earlier pages have shown what the records look like.

A page is read in two thirds of the time into structs of known fields instead of maps, and columns come out of structs
in one step. A page that does not fit (a new key, another type) is left to the general way, which also learns from it.

Ids of rows that hold lists need the keys as they were sent, of which structs know nothing. So the records of such a
page are written back to JSON, at a fraction of the cost of reading them: if that gives what was sent, white space
aside, every key was where it should be. An API that escapes more than it must is not served by this, and its pages
are read in the general way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from functools import cached_property, partial
from typing import Any, Union, cast, overload

import msgspec

from penstock.extractor.records.columns import Column
from penstock.extractor.records.places import Place, are_names
from penstock.extractor.records.read_columns import ReadObjects, Unfit, plain

MOST_FAILURES = 5
"""When so many more pages did not fit than did, trying costs more than it brings."""


Reread = Callable[[], Sequence[Any]]
"""The records of a page, read in the general way."""


class Rows(Sequence[Any]):
    """The records of a page; a record is made when somebody asks for it, and columns when they are written: by then
    the next page is on its way."""

    def __init__(self, held: Sequence[Any], take_apart: Callable[[], Column]) -> None:
        self._held, self._take_apart = held, take_apart

    @cached_property
    def column(self) -> Column:
        return self._take_apart()

    def __len__(self) -> int:
        return len(self._held)

    @overload
    def __getitem__(self, index: int) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, index: slice) -> list[dict[str, Any]]: ...
    def __getitem__(self, index: int | slice) -> dict[str, Any] | list[dict[str, Any]]:
        return plain(self._held[index])

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.column.values)


class _Unordered(ReadObjects):
    """Records whose keys may have been sent in another order, or not at all; read again if that matters."""

    reread: Reread

    def exact(self) -> Column:
        return Column(self.reread())


class Typed:
    """Reads the pages of one job whose records are alike."""

    def __init__(self, key: str = "") -> None:
        """`key` holds the list of records at the root of a response; empty for the only list there, or all of it."""
        self._key = key
        self._is_only = not key
        self._place = Place()
        self._known = self._place
        """What the decoder was made for: pages that it has read may wait while others are learnt from."""
        self._others: set[str] = set()
        self._decoder: msgspec.json.Decoder[Any] | None = None
        self._in_order: msgspec.json.Decoder[list[Any]] | None = None
        """Reads records whose keys must be in the order of the fields."""
        self._is_learnt = False
        self._failures = 0

    @property
    def is_given_up(self) -> bool:
        """Whether the records have shown that they are not for this way."""
        return self._failures >= MOST_FAILURES

    def learn(self, document: Any, rows: Column) -> None:
        """What a page that was read in the general way looked like."""
        if rows.kinds.keys() != {dict}:
            self._failures = MOST_FAILURES
            return
        self._place.learn(rows)
        if isinstance(document, dict):
            members = cast(dict[str, Any], document)
            self._others.update(members)
            self._key = self._key or next(key for key, value in members.items() if isinstance(value, list))
        self._is_learnt = True

    def read(self, body: bytes, reread: Reread) -> Rows | None:
        """None for a page that has to be read in the general way."""
        if self._is_learnt:  # only now: many a job has one page, and nothing to gain
            self._decoder, self._is_learnt = self._compile(), False
        if self._decoder is None or self.is_given_up:
            return None
        try:
            found = self._decoder.decode(body)
            return self._rows(found.rows if self._key else found, body, reread)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, Unfit):
            self._failures += 1
            return None

    def _rows(self, found: Any, body: bytes, reread: Reread) -> Rows | None:
        rows = self._in_order.decode(found) if self._in_order else cast(list[Any], found)
        if not rows:
            return None
        if self._in_order:
            _check_order(rows, found)
        ReadObjects.read(self._known, rows[:1], is_plain=False)  # the first record is looked at before the others
        return Rows(rows, partial(self._column, self._known, rows, b"\\" not in body, reread))

    def _column(self, place: Place, rows: list[Any], is_plain: bool, reread: Reread) -> Column:
        try:
            column = (ReadObjects if place.has_lists else _Unordered).read(place, rows, is_plain)
        except Unfit:
            self._failures += 1
            return Column(reread())
        self._failures = max(0, self._failures - 1)
        if isinstance(column, _Unordered):
            column.reread = reread
        return column

    def _compile(self) -> msgspec.json.Decoder[Any] | None:
        self._known = place = deepcopy(self._place)
        is_exact = place.has_lists
        if not place.is_readable(is_exact) or not are_names(self._others):
            self._failures = MOST_FAILURES
            return None
        rows: Any = list[place.type()]
        self._in_order = msgspec.json.Decoder(rows) if is_exact else None
        source = msgspec.Raw if is_exact else rows
        return msgspec.json.Decoder(self._around(source) if self._key else source)

    def _around(self, rows: Any) -> type:
        """The response; its other members are of no interest, unless one is a second list and none was named."""
        names = {f"other{index}": key for index, key in enumerate(self._others - {self._key})}
        kind = Union[str, int, float, bool, dict[str, Any], None] if self._is_only else Any  # noqa: UP007
        return msgspec.defstruct(
            "Response",
            [("rows", rows), *((name, kind, None) for name in names)],
            rename={"rows": self._key, **names},
            forbid_unknown_fields=True,
        )


def _check_order(rows: list[Any], source: msgspec.Raw) -> None:
    """Raises Unfit unless the records, written back, are what was sent."""
    written = msgspec.Raw(msgspec.json.encode(rows))
    if written != source and written != msgspec.Raw(msgspec.json.format(bytes(source), indent=-1)):
        raise Unfit
