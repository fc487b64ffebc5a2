"""Pages of flat records read straight into columns, once earlier pages have shown what the records look like.

A page of a thousand flat rows is read in two thirds of the time into structs of known fields instead of maps, and
columns come out of structs in one step. A page that does not fit (a new key, another type, a nested value) is left to
the general way, which also learns from it; so is every page of a table that has lists, because the ids of its rows
need the keys as they were sent. Numbers are taken as their source text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Union, cast, overload

import msgspec

from penstock.extractor.numbers import Float
from penstock.extractor.records.columns import NONE, Column

MOST_FAILURES = 5
"""After so many pages that did not fit, trying costs more than it brings."""
_TEXTS, _FLAGS = frozenset({str, NONE}), frozenset({bool, NONE})
_NULL = msgspec.Raw(b"null")
_WHOLE = b"0123456789-\nnul"
_NUMERIC = _WHOLE + b".+eE"


class Rows(Sequence[Any]):
    """The records of a page, as columns; a record is made when somebody asks for it."""

    def __init__(self, column: Column) -> None:
        self.column = column

    def __len__(self) -> int:
        return len(self.column)

    @overload
    def __getitem__(self, index: int) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, index: slice) -> list[dict[str, Any]]: ...
    def __getitem__(self, index: int | slice) -> dict[str, Any] | list[dict[str, Any]]:
        if isinstance(index, slice):
            return [self[each] for each in range(*index.indices(len(self)))]
        return {key: _value(column, index) for key, column in self.column.members.items()}

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return (self[index] for index in range(len(self)))


class Typed:
    """Reads the pages of one job whose records are flat objects."""

    def __init__(self, key: str = "") -> None:
        """`key` holds the list of records at the root of a response; empty for the only list there, or all of it."""
        self._key = key
        self._is_only = not key
        self._types: dict[str, set[type]] = {}
        self._others: set[str] = set()
        self._decoder: msgspec.json.Decoder[Any] | None = None
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
        for key, column in rows.members.items():
            self._types.setdefault(key, set()).update(column.kinds)
        if isinstance(document, dict):
            members = cast(dict[str, Any], document)
            self._others.update(members)
            self._key = self._key or next(key for key, value in members.items() if isinstance(value, list))
        self._is_learnt = True

    def read(self, body: bytes) -> Rows | None:
        """None for a page that has to be read in the general way."""
        if self._is_learnt:  # only now: many a job has one page, and nothing to gain
            self._decoder, self._is_learnt = self._compile(), False
        if self._decoder is None or self.is_given_up:
            return None
        try:
            found = self._decoder.decode(body)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            self._failures += 1
            return None
        rows = cast(list[Any], found.rows if self._key else found)
        return self._rows(rows) if rows else None

    def _rows(self, rows: list[Any]) -> Rows | None:
        columns = zip(*map(msgspec.structs.astuple, rows), strict=True)
        members = {key: self._column(key, values) for key, values in zip(self._types, columns, strict=True)}
        if any(column is None for column in members.values()):
            self._failures += 1
            return None
        whole = Column.known(range(len(rows)), {dict: None})
        whole.members = cast(dict[str, Column], members)
        return Rows(whole)

    def _column(self, key: str, values: Sequence[Any]) -> Column | None:
        types = self._types[key]
        if _is_numeric(types):
            return _numbers(values)
        return Column.known(values, dict.fromkeys(types))

    def _compile(self) -> msgspec.json.Decoder[Any] | None:
        if not all(types <= _TEXTS or types <= _FLAGS or _is_numeric(types) for types in self._types.values()):
            self._failures = MOST_FAILURES
            return None
        row = _struct("Row", self._types)
        return msgspec.json.Decoder(self._around(row) if self._key else list[row])

    def _around(self, row: type) -> type:
        """The response; its other members are of no interest, unless one is a second list and none was named."""
        names = {f"other{index}": key for index, key in enumerate(self._others - {self._key})}
        kind = Union[str, int, float, bool, dict[str, Any], None] if self._is_only else Any  # noqa: UP007
        return msgspec.defstruct(
            "Response",
            [("rows", list[row]), *((name, kind, None) for name in names)],
            rename={"rows": self._key, **names},
            forbid_unknown_fields=True,
        )


def _struct(name: str, types: dict[str, set[type]]) -> type:
    """A field that was never null or missing is required: then all values of its column are known to be of its type."""
    names = [f"field{index}" for index in range(len(types))]
    fields = [_field(name, kinds) for name, kinds in zip(names, types.values(), strict=True)]
    rename = dict(zip(names, types, strict=True))
    return msgspec.defstruct(name, fields, rename=rename, forbid_unknown_fields=True, kw_only=True, gc=False)


def _field(name: str, types: set[type]) -> tuple[str, Any] | tuple[str, Any, Any]:
    if _is_numeric(types):
        return (name, msgspec.Raw, _NULL)
    kind = Union[tuple(types)]  # noqa: UP007
    return (name, kind, None) if NONE in types else (name, kind)


def _is_numeric(types: set[type]) -> bool:
    return bool(types & {int, Float}) and types <= {int, Float, NONE}


def _numbers(values: Sequence[msgspec.Raw]) -> Column | None:
    """In their source text; None if one of them is no number."""
    source = b"\n".join(values)
    if source.translate(None, _NUMERIC) or b"-0\n" in source + b"\n":  # a whole zero loses its sign
        return None
    texts: Sequence[str | None] = source.decode().split("\n")
    kind = Float if source.translate(None, _WHOLE) else int
    if b"null" not in source:
        return Column.known(texts, {kind: None})
    return Column.known([None if text == "null" else text for text in texts], {kind: None, NONE: None})


def _value(column: Column, index: int) -> Any:
    """A number as the general way reads it: here it is still its source text."""
    value = column.values[index]
    if value is None or not column.kinds.keys() & {int, Float}:
        return value
    return int(value) if value.lstrip("-").isdecimal() else Float(value)
