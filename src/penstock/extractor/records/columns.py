"""A page of records taken apart into columns, once, for whoever looks at it next: learning, rendering, identifying.

Python is slow per value and fast per list, so a column is judged as a whole: the distinct types of a thousand values
cost one pass in C. What was taken apart is kept, since three look at it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import chain
from operator import itemgetter
from typing import Any, cast

_NO_MEMBERS: dict[str, Any] = {}
NONE = type(None)


class Column:
    """The values of one place in all rows of a page; missing ones are None."""

    def __init__(self, values: Sequence[Any]) -> None:
        self.values: Sequence[Any] = values
        self.kinds: dict[type, None] = dict.fromkeys(map(type, values))

    @classmethod
    def known(cls, values: Sequence[Any], kinds: dict[type, None]) -> Column:
        """One whose types need not be looked at; there may be fewer than said."""
        column = cls(())
        column.values, column.kinds = values, kinds
        return column

    def __len__(self) -> int:
        return len(self.values)

    @property
    def is_lists(self) -> bool:
        return self.kinds.keys() <= {list, NONE}

    @cached_property
    def shapes(self) -> dict[tuple[str, ...], None]:
        """The distinct keys of the objects, each in the order of its first one."""
        return dict.fromkeys(map(tuple, self._only(dict)))

    @cached_property
    def members(self) -> dict[str, Column]:
        """The columns of the objects, in the order in which their keys first appear."""
        keys = dict.fromkeys(chain.from_iterable(self.shapes))
        return {key: Column(self._member(key)) for key in keys}

    def member(self, key: str) -> Column:
        return self.members.get(key) or Column([None] * len(self))

    @cached_property
    def listed(self) -> Column:
        """The items of all lists, one after another."""
        return Column(list(chain.from_iterable(self._only(list))))

    def _only(self, kind: type) -> Sequence[Any]:
        return self.values if self.kinds.keys() == {kind} else [each for each in self.values if type(each) is kind]

    @cached_property
    def _objects(self) -> Sequence[dict[str, Any]]:
        if self.kinds.keys() == {dict}:
            return self.values
        return [cast(dict[str, Any], each) if type(each) is dict else _NO_MEMBERS for each in self.values]

    def _member(self, key: str) -> list[Any]:
        is_everywhere = len(self.shapes) == 1 and self.kinds.keys() == {dict}
        if is_everywhere:
            return list(map(itemgetter(key), self._objects))
        return [row.get(key) for row in self._objects]
