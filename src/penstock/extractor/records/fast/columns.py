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


def read_column(shape: FieldShape, held: Sequence[Any], is_plain: bool) -> Column:
    """The column of a field; `is_plain` if no text of the page holds a quote. Raises Unfit.

    `kinds` of the column hold only types that its values have, and perhaps null: earlier values of the field, from
    which the kinds are known, may belong to records that were rejected.
    """
    if all(each is None or each == NULL for each in held):
        return Column([None] * len(held))
    if shape.is_numeric:
        return Numbers(b"\n".join(held), len(held))
    if dict in shape.kinds:
        has_nulls = shape.is_nullable and None in held
        return (ReadSome if has_nulls else ReadObjects).read(shape, held, is_plain)
    if list in shape.kinds:
        return ReadLists(shape, held, is_plain)
    return Column.known(held, shape.column_kinds(), is_plain)


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
        """None if the column holds anything else than whole numbers without a sign, or very long ones.

        Of two whole numbers without a sign the longer one is higher; those of one length are ordered as texts.
        """
        if self.kinds.keys() != {int} or "-" in self._lines:
            return None
        choose = min if is_low else max
        length = choose(map(len, self.sources))
        found = choose([source for source in self.sources if len(source) == length])
        return int(found) if length <= _DEFAULT_DIGITS else None

    @cached_property
    def held(self) -> Sequence[Any]:
        return [source or None for source in self.sources]

    @cached_property
    def values(self) -> Sequence[Any]:
        return list(map(int if self.kinds.keys() == {int} else _number, self.sources))


class ReadObjects(Objects):
    """Objects decoded into structs."""

    @classmethod
    def read(cls, shape: FieldShape, held: Sequence[Any], is_plain: bool) -> Self:
        columns = zip(*map(msgspec.structs.astuple, held), strict=True) if held else [()] * len(shape.members)
        pairs = zip(shape.members.items(), columns, strict=True)
        return cls(held, {key: read_column(member, each, is_plain) for (key, member), each in pairs})

    @cached_property
    def values(self) -> Sequence[Any]:
        return plain(self.held)

    def take(self, indexes: Sequence[int]) -> Column:
        return Column(plain([self.held[index] for index in indexes]))


class ReadSome(ReadObjects):
    """Objects some of which are null; the columns of their members cover only the others."""

    def __init__(self, held: Sequence[Any], found: Column, indexes: Sequence[int]) -> None:
        super().__init__(held, {key: Spread(each, indexes) for key, each in found.members.items()})
        self.kinds = {dict: None, NONE: None}
        self._found, self._indexes = found, indexes

    @classmethod
    def read(cls, shape: FieldShape, held: Sequence[Any], is_plain: bool) -> Self:
        found = ReadObjects.read(shape, [each for each in held if each is not None], is_plain)
        numbers = count()
        return cls(held, found, [-1 if each is None else next(numbers) for each in held])

    @property
    def there(self) -> Column:
        return self._found

    def spread(self, texts: Iterable[str], missing: str) -> Sequence[str]:
        return _spread(texts, self._indexes, missing)


class Spread(Column):
    """A member of objects some of which are null: `indexes` are the positions of its values in `found`, -1 for null."""

    def __init__(self, found: Column, indexes: Sequence[int]) -> None:
        self._found, self._indexes = found, indexes
        self.kinds = {**found.kinds, NONE: None}

    def __len__(self) -> int:
        return len(self._indexes)

    @cached_property
    def held(self) -> Sequence[Any]:
        return _spread(self._found.held, self._indexes, None)

    @cached_property
    def values(self) -> Sequence[Any]:
        return _spread(self._found.values, self._indexes, None)

    @cached_property
    def cells(self) -> Sequence[str]:
        return _spread(self._found.cells, self._indexes, "")

    @cached_property
    def members(self) -> dict[str, Column]:
        return {key: Spread(each, self._indexes) for key, each in self._found.members.items()}

    @cached_property
    def listed(self) -> Column:
        return self._found.listed


class ReadLists(Column):
    """Lists whose items were decoded."""

    def __init__(self, shape: FieldShape, held: Sequence[Any], is_plain: bool) -> None:
        self.held, self.kinds = held, shape.column_kinds()
        self.listed = read_column(shape.items or FieldShape(), list(chain.from_iterable(filter(None, held))), is_plain)

    @cached_property
    def values(self) -> Sequence[Any]:
        return plain(self.held)


def _spread(found: Iterable[Any], indexes: Sequence[int], missing: Any) -> Sequence[Any]:
    """What was found at the indexes, and `missing` for -1."""
    return list(map([*found, missing].__getitem__, indexes))


def plain(held: Any) -> Any:
    """Structs as the dicts that the general path would give."""
    return decode(msgspec.json.encode(held)).document


def _is_long(source: bytes) -> bool:
    """Whether a number may be too long: such a number fills at least one step without a line break."""
    step = MAX_DIGITS // 2
    return any(b"\n" not in source[start : start + step] for start in range(0, len(source) - step + 1, step))


def _has_negative_zero(source: bytes) -> bool:
    """The general path drops the sign of a whole zero."""
    return b"-" in source and b"\n-0\n" in b"\n%b\n" % source


def _number(source: str) -> Any:
    if not source:
        return None
    return int(source) if source.removeprefix("-").isdecimal() else Float(source)
