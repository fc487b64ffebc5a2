"""A page of records as columns, computed once and used three times: to learn types, render cells and compute row ids.

Python is slow per value and fast per list, so a column is examined as a whole: the distinct types of a thousand values
cost one pass in C. Columns and rendered cells are cached, because row ids use both again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from operator import itemgetter
from typing import Any, cast, overload

from penstock.extractor.records.cells import all_as_latin1, render

_NO_MEMBERS: dict[str, Any] = {}
NONE = type(None)


class Column:
    """The values of one field in all rows of a page; missing ones are None."""

    is_plain = False
    """Whether it is known that no text holds a quote."""

    def __init__(self, values: Sequence[Any]) -> None:
        self.raw = values
        self.kinds: dict[type, None] = dict.fromkeys(map(type, values))

    @classmethod
    def of_kinds(cls, values: Sequence[Any], kinds: dict[type, None], is_plain: bool = False) -> Column:
        """Returns a column whose types are known beforehand; `kinds` may include null although no value is null."""
        column = cls(())
        column.raw, column.kinds, column.is_plain = values, kinds, is_plain
        return column

    def __len__(self) -> int:
        return len(self.raw)

    @cached_property
    def raw(self) -> Sequence[Any]:
        """Returns what represents each value: None for null, a list for a list, otherwise anything."""
        raise NotImplementedError

    @cached_property
    def values(self) -> Sequence[Any]:
        return self.raw

    def extreme(self, *, is_low: bool) -> int | None:
        """Returns the highest or lowest of whole numbers, where that takes no look at each value; otherwise None."""
        return None

    @property
    def there(self) -> Column:
        """Returns only the values that are not null, where the column stores those apart; otherwise all."""
        return self

    def spread(self, texts: Iterable[str], missing: str) -> Sequence[str]:
        """Returns the texts of the values that are `there`, with `missing` in the place of nulls."""
        return [missing if raw is None else text for raw, text in zip(self.raw, texts, strict=True)]

    def exact(self) -> Column:
        """Returns the column with the keys of every object in the order in which they were sent."""
        return self

    @property
    def is_lists(self) -> bool:
        return self.kinds.keys() <= {list, NONE}

    @cached_property
    def cells(self) -> Sequence[str]:
        """Returns the cells of the values as Latin-1, with quotes doubled."""
        return self.texts if self.is_plain and str in self.kinds else render(self.values, self.kinds)

    @cached_property
    def texts(self) -> Sequence[str]:
        """Returns the values that are texts, as Latin-1; empty for null."""
        return all_as_latin1([value or "" for value in self.values] if NONE in self.kinds else self.values)

    @cached_property
    def sources(self) -> Sequence[str]:
        """Returns the source texts of numbers; empty for null."""
        return [value or "" for value in self.values]

    @cached_property
    def shapes(self) -> dict[tuple[str, ...], None]:
        """Returns the distinct keys of the objects, each in the order of its first one."""
        return dict.fromkeys(map(tuple, self._only(dict)))

    @cached_property
    def members(self) -> dict[str, Column]:
        """Returns the columns of the objects, in the order in which their keys first appear."""
        keys = dict.fromkeys(chain.from_iterable(self.shapes))
        return {key: Column(self._member(key)) for key in keys}

    def member(self, key: str) -> Column:
        return self.members.get(key) or Column([None] * len(self))

    @cached_property
    def listed(self) -> Column:
        """Returns the items of all lists, one after another."""
        return Column(list(chain.from_iterable(self._only(list))))

    @cached_property
    def sizes(self) -> list[int]:
        """Returns how many items each value has; a single value among lists counts as a list of one."""
        if self.is_lists:
            return [len(item_list) if item_list else 0 for item_list in self.raw]
        return [len(_as_list(item_list)) for item_list in self.raw]

    @property
    def items(self) -> Column:
        return self.listed if self.is_lists else Column(list(chain.from_iterable(map(_as_list, self.values))))

    def take(self, indexes: Sequence[int]) -> Column:
        """Returns the column of these rows only."""
        return Column([self.values[index] for index in indexes])

    def with_members(self, members: Mapping[str, Sequence[Any]]) -> Column:
        """Returns the objects with more members, which replace those of the same key."""
        if len(self.shapes) == 1 and self.kinds.keys() == {dict}:
            return Objects(
                self.raw, {**self.members, **{key: Column(added_values) for key, added_values in members.items()}}
            )
        added = zip(*members.values(), strict=True)
        return Column(
            [
                {**row, **dict(zip(members, added_values, strict=True))}
                for row, added_values in zip(self.values, added, strict=True)
            ]
        )

    def _only(self, kind: type) -> Sequence[Any]:
        return self.values if self.kinds.keys() == {kind} else [item for item in self.values if type(item) is kind]

    @cached_property
    def _objects(self) -> Sequence[dict[str, Any]]:
        if self.kinds.keys() == {dict}:
            return self.values
        return [cast(dict[str, Any], item) if type(item) is dict else _NO_MEMBERS for item in self.values]

    def _member(self, key: str) -> list[Any]:
        is_everywhere = len(self.shapes) == 1 and self.kinds.keys() == {dict}
        if is_everywhere:
            return list(map(itemgetter(key), self._objects))
        return [row.get(key) for row in self._objects]


class Objects(Column):
    """Objects of which only the columns of their members are stored."""

    def __init__(self, raw: Sequence[Any], members: dict[str, Column]) -> None:
        self.raw = raw
        self.kinds = {dict: None}
        self.members = members
        self.shapes = {tuple(members): None}


class Rows(Sequence[Any]):
    """The records of a page together with their columns, which are computed when they are first used: by then the
    request for the next page is on its way."""

    def __init__(self, raw: Sequence[Any], take_apart: Callable[[], Column]) -> None:
        self._raw, self._take_apart = raw, take_apart

    @cached_property
    def column(self) -> Column:
        return self._take_apart()

    def __len__(self) -> int:
        return len(self._raw)

    @overload
    def __getitem__(self, index: int) -> Any: ...
    @overload
    def __getitem__(self, index: slice) -> list[Any]: ...
    def __getitem__(self, index: int | slice) -> Any:
        return self._raw[index]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.column.values)


def get_column(records: Sequence[Any]) -> Column:
    """Returns the records as one column; computed only if they do not have theirs already."""
    return records.column if isinstance(records, Rows) else Column(records)


def _as_list(value: Any) -> list[Any]:
    if value is None:
        return []
    return cast(list[Any], value) if isinstance(value, list) else [value]
