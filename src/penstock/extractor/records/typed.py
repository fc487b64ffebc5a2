"""Pages read straight into columns, once earlier pages have shown what the records look like.

A page is read in two thirds of the time into structs of known fields instead of maps, and columns come out of structs
in one step. A page that does not fit (a new key, another type) is left to the general way, which also learns from it.

Ids of rows that hold lists need the keys as they were sent, of which structs know nothing. So such a page is written
back to JSON, at a fraction of the cost of reading it: if that gives what was sent, white space aside, every key was
where it should be. An API that escapes more than it must is not served by this, nor is one that shuffles what stands
around the records, and their pages are read in the general way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from functools import cached_property, partial
from typing import Any, Union, cast, overload

import msgspec

from penstock.extractor.records.columns import Column
from penstock.extractor.records.field_shapes import NULL, FieldShape, are_names
from penstock.extractor.records.read_columns import ReadObjects, Unfit, plain

_write = msgspec.json.Encoder().encode_into
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

    def __init__(self, key: str = "", written: bytearray | None = None) -> None:
        """`key` holds the list of records at the root of a response; empty for the only list there, or all of it.

        `written` is room for a page written back, used again and again: making it takes as long as writing.
        """
        self._written = bytearray() if written is None else written
        self._key = key
        self._is_only = not key
        self._place = FieldShape()
        self._known = self._place
        """What the decoder was made for: pages that it has read may wait while others are learnt from."""
        self._around: dict[str, None] = {}
        """The keys at the root of a response, in their order."""
        self._decoder: msgspec.json.Decoder[Any] | None = None
        self._is_exact = False
        """Whether the keys must be in the order of the fields."""
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
            self._around.update(dict.fromkeys(members))
            self._key = self._key or next(key for key, value in members.items() if isinstance(value, list))
        self._is_learnt = True

    def read(self, body: bytes, reread: Reread) -> Rows | None:
        """None for a page that has to be read in the general way."""
        if self._is_learnt:  # only now: many a job has one page, and nothing to gain
            self._decoder, self._is_learnt = self._compile(), False
        if self._decoder is None or self.is_given_up:
            return None
        try:
            return self._rows(self._decoder.decode(body), body, reread)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, Unfit):
            self._failures += 1
            return None

    def _rows(self, found: Any, body: bytes, reread: Reread) -> Rows | None:
        rows = cast(list[Any], found.rows if self._key else found)
        if not rows:
            return None
        if self._is_exact:
            self._check_order(found, body)
        if self._is_exact and self._key:
            self._check_others(found)
        ReadObjects.read(self._known, rows[:1], is_plain=False)  # the first record is looked at before the others
        return Rows(rows, partial(self._column, self._known, rows, b"\\" not in body, reread))

    def _column(self, place: FieldShape, rows: list[Any], is_plain: bool, reread: Reread) -> Column:
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
        self._is_exact = place.has_lists
        if not place.is_readable(self._is_exact) or not are_names(self._around):
            self._failures = MOST_FAILURES
            return None
        rows: Any = list[place.type()]
        return msgspec.json.Decoder(self._response(rows) if self._key else rows)

    def _response(self, rows: Any) -> type:
        """The rows and what stands around them; that is kept in its source text where all is to be written back."""
        keys = {**self._around, self._key: None}
        names = {"rows" if key == self._key else f"other{at}": key for at, key in enumerate(keys)}
        kind, default = (msgspec.Raw, NULL) if self._is_exact else (self._other, None)
        return msgspec.defstruct(
            "Response",
            [("rows", rows) if name == "rows" else (name, kind, default) for name in names],
            rename=names,
            forbid_unknown_fields=True,
            omit_defaults=True,
            kw_only=True,
        )

    @property
    def _other(self) -> Any:
        """What may stand around the rows: anything, but for a second list if none was named."""
        return Union[str, int, float, bool, dict[str, Any], None] if self._is_only else Any  # noqa: UP007

    def _check_order(self, found: Any, body: bytes) -> None:
        """Raises Unfit unless the response, written back, is what was sent."""
        written, sent = self._written, body.strip()
        _write(found, written)
        is_same = len(written) == len(sent) and written.startswith(sent)
        if not is_same and _compact(bytes(written)) != _compact(body):
            raise Unfit

    def _check_others(self, response: msgspec.Struct) -> None:
        """Read, too, what was only copied."""
        for name in response.__struct_fields__:
            if name != "rows":
                msgspec.json.decode(getattr(response, name), type=self._other)


def _compact(text: bytes) -> bytes:
    return msgspec.json.format(text, indent=-1)
