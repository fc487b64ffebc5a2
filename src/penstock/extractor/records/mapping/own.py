"""Items that are rows of the same table as the row around them, such as replies to comments.

They are written before the row around them. Entries of other tables are applied in the order of the mapping: before the
items of the same table if they come first in it, otherwise after them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import msgspec

from penstock.extractor.base.values import is_empty_value
from penstock.extractor.records.mapping.columns import values_at
from penstock.extractor.records.mapping.table import Own


class Rows(msgspec.Struct, frozen=True):
    """Rows of a table, each with the key of the row that it is an item of."""

    values: list[Any]
    links: list[str]


def unfold(rows: Rows, entries: Sequence[Own], has_key: bool) -> list[Rows]:
    """All rows, nested ones included, in one order more than there are entries: before the first, …, after the last."""
    orders = [Rows([], []) for _ in range(len(entries) + 1)]
    waiting = [(value, link, 0) for value, link in zip(reversed(rows.values), reversed(rows.links), strict=True)]
    while waiting:
        value, link, done = waiting.pop()
        orders[done].values.append(value)
        orders[done].links.append(link)
        if done < len(entries):
            waiting.append((value, link, done + 1))
            waiting += [(item, link, 0) for item in reversed(_items(entries[done], value, has_key))]
    return orders


def _items(entry: Own, row: Any, has_key: bool) -> list[Any]:
    """Nothing for null, even with a primary key, where another table would get a row: here that would not end."""
    (value,) = values_at(entry.key, entry.delimiter, [row])
    if value is None or (not has_key and is_empty_value(value)):
        return []
    return cast(list[Any], value) if isinstance(value, list) else [value]
