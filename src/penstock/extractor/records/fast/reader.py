"""Decodes the pages of one job into structs, once it has learnt the fields of their records.

Decoding into structs of known fields takes two thirds of the time of decoding into dicts, and turning structs into
columns is one step. A page of another shape (a new key, another type) is left to the general path, from whose result
the reader learns.

Ids of rows that hold lists depend on the order of the keys as they were sent, which structs do not keep. So a page with
lists is encoded again, at a fraction of the cost of decoding it: if that gives the bytes that were sent, white space
aside, all keys were in the order of the fields. An API that escapes more characters than necessary, or that changes the
order of the keys around the records, is always read by the general path.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from functools import partial
from typing import Any, Union, cast, overload

import msgspec

from penstock.extractor.records.columns import Column, Rows, get_column
from penstock.extractor.records.fast.columns import ReadObjects, Unfit, plain
from penstock.extractor.records.fast.shapes import NULL, FieldShape, are_names

_encode_into = msgspec.json.Encoder().encode_into
MAX_FAILURES = 5
"""When so many more pages did not fit than did, trying costs more than it saves."""

Reread = Callable[[], Sequence[Any]]
"""The records of a page, read by the general path."""


class StructRows(Rows):
    """Records decoded into structs: a dict is made when a record is asked for."""

    @overload
    def __getitem__(self, index: int) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, index: slice) -> list[dict[str, Any]]: ...
    def __getitem__(self, index: int | slice) -> dict[str, Any] | list[dict[str, Any]]:
        return plain(self._raw[index])


class _Unordered(ReadObjects):
    """Records whose keys may have been sent in another order, or not at all; read again where that matters."""

    reread: Reread

    def exact(self) -> Column:
        return get_column(self.reread())


class FastReader:
    """Reads the pages of one job whose records have the same fields."""

    def __init__(self, key: str = "", buffer: bytearray | None = None) -> None:
        """`key` holds the list of records at the root of a response; empty for the only list there, or all of it.

        `buffer` is where pages are encoded again; shared, because allocating it takes as long as encoding.
        """
        self._buffer = bytearray() if buffer is None else buffer
        self._key = key
        self._is_only = not key
        self._shape = FieldShape()
        self._compiled = self._shape
        """What the decoder was made for: pages that it has decoded may wait while the reader learns from others."""
        self._meta: dict[str, None] = {}
        """The keys at the root of a response, in their order."""
        self._decoder: msgspec.json.Decoder[Any] | None = None
        self._is_exact = False
        """Whether the keys must be in the order of the fields."""
        self._is_stale = False
        """Whether something was learnt since the decoder was made."""
        self._failures = 0

    @property
    def is_given_up(self) -> bool:
        """Returns whether the records have shown that they do not share one shape."""
        return self._failures >= MAX_FAILURES

    def learn(self, document: Any, rows: Column) -> None:
        """Learns the shape of a page that the general path has read."""
        if rows.kinds.keys() != {dict}:
            self._failures = MAX_FAILURES
            return
        self._shape.learn(rows)
        if isinstance(document, dict):
            members = cast(dict[str, Any], document)
            self._meta.update(dict.fromkeys(members))
            self._key = self._key or next(key for key, value in members.items() if isinstance(value, list))
        self._is_stale = True

    def read(self, body: bytes, reread: Reread) -> StructRows | None:
        """Returns None for a page that the general path has to read."""
        if self._is_stale:  # only now: many jobs have one page, which would make the decoder a waste
            self._decoder, self._is_stale = self._compile(), False
        if self._decoder is None or self.is_given_up:
            return None
        try:
            return self._rows(self._decoder.decode(body), body, reread)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, Unfit):
            self._failures += 1
            return None

    def _rows(self, decoded: Any, body: bytes, reread: Reread) -> StructRows | None:
        rows = cast(list[Any], decoded.rows if self._key else decoded)
        if not rows:
            return None
        if self._is_exact:
            self._check_order(decoded, body)
        if self._is_exact and self._key:
            self._check_meta(decoded)
        ReadObjects.read(self._compiled, rows[:1], is_plain=False)  # a page whose first record does not fit fails early
        return StructRows(rows, partial(self._column, self._compiled, rows, b"\\" not in body, reread))

    def _column(self, shape: FieldShape, rows: list[Any], is_plain: bool, reread: Reread) -> Column:
        try:
            column = (ReadObjects if shape.has_lists else _Unordered).read(shape, rows, is_plain)
        except Unfit:
            self._failures += 1
            return get_column(reread())
        self._failures = max(0, self._failures - 1)
        if isinstance(column, _Unordered):
            column.reread = reread
        return column

    def _compile(self) -> msgspec.json.Decoder[Any] | None:
        self._compiled = shape = deepcopy(self._shape)
        self._is_exact = shape.has_lists
        if not shape.is_readable(self._is_exact) or not are_names(self._meta):
            self._failures = MAX_FAILURES
            return None
        rows: Any = list[shape.type()]
        return msgspec.json.Decoder(self._response(rows) if self._key else rows)

    def _response(self, rows: Any) -> type:
        """Returns the rows and the other members of the response, as their source text where all of it is encoded
        again."""
        keys = {**self._meta, self._key: None}
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
        """Returns the type of members next to the rows: anything, except for a second list if no key names the
        first."""
        return Union[str, int, float, bool, dict[str, Any], None] if self._is_only else Any  # noqa: UP007

    def _check_order(self, decoded: Any, body: bytes) -> None:
        """Raises Unfit unless the response, encoded again, is what was sent."""
        encoded, sent = self._buffer, body.strip()
        _encode_into(decoded, encoded)
        is_same = len(encoded) == len(sent) and encoded.startswith(sent)
        if not is_same and _compact(bytes(encoded)) != _compact(body):
            raise Unfit

    def _check_meta(self, response: msgspec.Struct) -> None:
        """Raises MsgspecError if a member that was only copied is not valid JSON."""
        for name in response.__struct_fields__:
            if name != "rows":
                msgspec.json.decode(getattr(response, name), type=self._other)


def _compact(text: bytes) -> bytes:
    return msgspec.json.format(text, indent=-1)
