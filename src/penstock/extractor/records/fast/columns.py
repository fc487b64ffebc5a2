"""Columns of a page that was decoded into structs and source texts instead of dicts and numbers.

Tables need only cells and members; the values themselves are computed on first access.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import chain, count
from typing import Any, Self

import msgspec

from penstock.extractor.base.decode import decode
from penstock.extractor.base.numbers import Float
from penstock.extractor.records.cells import render_floats
from penstock.extractor.records.columns import NONE, Column, Objects
from penstock.extractor.records.fast.shapes import NULL, FieldShape

MAX_DIGITS = 4300
"""The general path refuses a longer number."""
_DEFAULT_DIGITS = 100
_WHOLE = b"0123456789-\nnul"
_DECIMAL = b".+eE"


class Unfit(Exception):
    """A value has another shape than on earlier pages."""


def read_column(shape: FieldShape, raw: Sequence[Any], is_plain: bool) -> Column:
    """Returns the column of a field; `is_plain` if no text of the page holds a quote. Raises Unfit.

    `kinds` of the column hold only types that its values have, and perhaps null: earlier values of the field, from
    which the kinds are known, may belong to records that were rejected.
    """
    if all(item is None or item == NULL for item in raw):
        return Column([None] * len(raw))
    if shape.is_numeric:
        return Numbers(b"\n".join(raw), len(raw))
    if dict in shape.kinds:
        has_nulls = shape.is_nullable and None in raw
        return (ReadSome if has_nulls else ReadObjects).read(shape, raw, is_plain)
    if list in shape.kinds:
        return ReadLists(shape, raw, is_plain)
    return Column.of_kinds(raw, shape.column_kinds(), is_plain)


class Numbers(Column):
    """Numbers as source text; one with a fraction or an exponent makes all of them decimals."""

    def __init__(self, source: bytes, count: int) -> None:
        """`source` has a number or null on every line."""
        others = source.translate(None, _WHOLE)
        if others.translate(None, _DECIMAL) or _is_long(source) or _has_negative_zero(source):
            raise Unfit
        self.kinds = {Float if others else int: None}
        if b"n" in source:
            self.kinds[NONE] = None
            source = source.replace(b"null", b"")
        self._lines, self._count = source.decode(), count

    def __len__(self) -> int:
        return self._count

    @cached_property
    def sources(self) -> Sequence[str]:
        return self._lines.split("\n")

    @cached_property
    def cells(self) -> Sequence[str]:
        return self.sources if int in self.kinds else render_floats(self.sources, self._lines)

    def extreme(self, *, is_low: bool) -> int | None:
        """Returns None if the column holds anything else than whole numbers without a sign, or very long ones.

        Of two whole numbers without a sign the longer one is higher; those of one length are ordered as texts.
        """
        if self.kinds.keys() != {int} or "-" in self._lines:
            return None
        choose = min if is_low else max
        length = choose(map(len, self.sources))
        digits = choose([source for source in self.sources if len(source) == length])
        return int(digits) if length <= _DEFAULT_DIGITS else None

    @cached_property
    def raw(self) -> Sequence[Any]:
        return [source or None for source in self.sources]

    @cached_property
    def values(self) -> Sequence[Any]:
        return list(map(int if self.kinds.keys() == {int} else _number, self.sources))


class ReadObjects(Objects):
    """Objects decoded into structs."""

    @classmethod
    def read(cls, shape: FieldShape, raw: Sequence[Any], is_plain: bool) -> Self:
        columns = zip(*map(msgspec.structs.astuple, raw), strict=True) if raw else [()] * len(shape.members)
        pairs = zip(shape.members.items(), columns, strict=True)
        return cls(raw, {key: read_column(member, column, is_plain) for (key, member), column in pairs})

    @cached_property
    def values(self) -> Sequence[Any]:
        return plain(self.raw)

    def take(self, indexes: Sequence[int]) -> Column:
        return Column(plain([self.raw[index] for index in indexes]))


class ReadSome(ReadObjects):
    """Objects some of which are null; the columns of their members cover only the others."""

    def __init__(self, raw: Sequence[Any], objects: Column, indexes: Sequence[int]) -> None:
        super().__init__(raw, {key: Spread(member, indexes) for key, member in objects.members.items()})
        self.kinds = {dict: None, NONE: None}
        self._objects_there, self._indexes = objects, indexes

    @classmethod
    def read(cls, shape: FieldShape, raw: Sequence[Any], is_plain: bool) -> Self:
        objects = ReadObjects.read(shape, [item for item in raw if item is not None], is_plain)
        numbers = count()
        return cls(raw, objects, [-1 if item is None else next(numbers) for item in raw])

    @property
    def there(self) -> Column:
        return self._objects_there

    def spread(self, texts: Iterable[str], missing: str) -> Sequence[str]:
        return _spread(texts, self._indexes, missing)


class Spread(Column):
    """A member of objects some of which are null: `indexes` are the positions of its values in `column`, -1 for
    null."""

    def __init__(self, column: Column, indexes: Sequence[int]) -> None:
        self._column, self._indexes = column, indexes
        self.kinds = {**column.kinds, NONE: None}

    def __len__(self) -> int:
        return len(self._indexes)

    @cached_property
    def raw(self) -> Sequence[Any]:
        return _spread(self._column.raw, self._indexes, None)

    @cached_property
    def values(self) -> Sequence[Any]:
        return _spread(self._column.values, self._indexes, None)

    @cached_property
    def cells(self) -> Sequence[str]:
        return _spread(self._column.cells, self._indexes, "")

    @cached_property
    def members(self) -> dict[str, Column]:
        return {key: Spread(member, self._indexes) for key, member in self._column.members.items()}

    @cached_property
    def listed(self) -> Column:
        return self._column.listed


class ReadLists(Column):
    """Lists whose items were decoded."""

    def __init__(self, shape: FieldShape, raw: Sequence[Any], is_plain: bool) -> None:
        self.raw, self.kinds = raw, shape.column_kinds()
        self.listed = read_column(shape.items or FieldShape(), list(chain.from_iterable(filter(None, raw))), is_plain)

    @cached_property
    def values(self) -> Sequence[Any]:
        return plain(self.raw)


def _spread(values: Iterable[Any], indexes: Sequence[int], missing: Any) -> Sequence[Any]:
    """Returns what was found at the indexes, and `missing` for -1."""
    return list(map([*values, missing].__getitem__, indexes))


def plain(raw: Any) -> Any:
    """Structs as the dicts that the general path would give."""
    return decode(msgspec.json.encode(raw)).document


def _is_long(source: bytes) -> bool:
    """Returns whether a number may be too long: such a number fills at least one step without a line break."""
    step = MAX_DIGITS // 2
    return any(b"\n" not in source[start : start + step] for start in range(0, len(source) - step + 1, step))


def _has_negative_zero(source: bytes) -> bool:
    """The general path drops the sign of a whole zero."""
    return b"-" in source and b"\n-0\n" in b"\n%b\n" % source


def _number(source: str) -> Any:
    if not source:
        return None
    return int(source) if source.removeprefix("-").isdecimal() else Float(source)
