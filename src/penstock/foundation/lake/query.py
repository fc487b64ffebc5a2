"""Filters, order and limit of a query on a table.

Values are strings and compared as strings, unless the filter or the column has a type. NULL is equal to the empty
string. Every operator but `ne` excludes values that cannot be compared; `ne` is the opposite of `eq`.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

import msgspec

from penstock.foundation.lake.errors import NoColumns
from penstock.foundation.lake.types import TEXT, TIMESTAMP
from penstock.foundation.text.quoting import quote_name, quote_time, quote_value

_OPERATORS = {"gt": ">", "ge": ">=", "lt": "<", "le": "<="}
_COMPARED_AS = {
    "INTEGER": "DECIMAL(38,0)",
    "BIGINT": "DECIMAL(38,0)",
    "DECIMAL": "DECIMAL(38,9)",
    "DOUBLE": "DOUBLE",
    "REAL": "DOUBLE",
}


class Filter(msgspec.Struct, frozen=True):
    """It matches any of the values; `ne` none of them. With a data type both sides are converted to it."""

    column: str
    operator: str
    values: tuple[str, ...]
    data_type: str | None = None


class Order(msgspec.Struct, frozen=True):
    column: str
    descending: bool = False
    data_type: str | None = None


class Query(msgspec.Struct, frozen=True, kw_only=True):
    """All filters must match; `changed_since` is inclusive, `changed_until` exclusive. Without `columns` all are
    selected."""

    columns: tuple[str, ...] | None = None
    filters: tuple[Filter, ...] = ()
    changed_since: datetime | None = None
    changed_until: datetime | None = None
    order_by: tuple[Order, ...] = ()
    limit: int | None = None
    fulltext: str | None = None

    @property
    def is_everything(self) -> bool:
        return not (self.filters or self.changed_since or self.changed_until or self.fulltext or self.limit is not None)


Types = Mapping[str, str]
"""The type of each column of the table."""

ROWS = "rows_of_table"
"""The table's alias in a statement, so that a column is not confused with the text expression made from it."""


def where(query: Query, types: Types) -> str:
    """SQL condition for the selected rows."""
    conditions = [_condition(each, types) for each in query.filters]
    if query.changed_since:
        conditions.append(f"{ROWS}.{TIMESTAMP} >= {quote_time(query.changed_since)}")
    if query.changed_until:
        conditions.append(f"{ROWS}.{TIMESTAMP} < {quote_time(query.changed_until)}")
    if query.fulltext:
        conditions.append(_contains(query.fulltext, chosen(query, types), types))
    return " AND ".join(f"({condition})" for condition in conditions) or "true"


def rest(query: Query, types: Types) -> str:
    """SQL for the order and the limit."""
    order = ", ".join(_ordered(each, types) for each in query.order_by)
    limit = "" if query.limit is None else f" LIMIT {int(query.limit)}"
    return (f" ORDER BY {order}" if order else "") + limit


def _condition(column_filter: Filter, types: Types) -> str:
    if column_filter.operator == "eq":
        return _equals(column_filter, types)
    if column_filter.operator == "ne":
        return f"({_equals(column_filter, types)}) IS NOT TRUE"
    left, kind = _compared(column_filter.column, column_filter.data_type, types)
    return f"{left} {_OPERATORS[column_filter.operator]} {_value(column_filter.values[0], kind)}"


def _equals(column_filter: Filter, types: Types) -> str:
    left, kind = _compared(column_filter.column, column_filter.data_type, types)
    values = ", ".join(_value(value, kind) for value in column_filter.values)
    empty = f" OR {as_text(column_filter.column, types)} = ''" if "" in column_filter.values else ""
    return f"{left} IN ({values}){empty}"


def _ordered(order: Order, types: Types) -> str:
    left, _ = _compared(order.column, order.data_type, types)
    return f"{left} {'DESC' if order.descending else 'ASC'} NULLS LAST"


def _compared(column: str, data_type: str | None, types: Types) -> tuple[str, str]:
    """The column as it is compared, and its type."""
    if data_type:
        kind = _COMPARED_AS[data_type]
        return f"TRY_CAST({ROWS}.{quote_name(column)} AS {kind})", kind
    kind = types.get(column, TEXT)
    return (as_text(column, types) if kind == TEXT else f"{ROWS}.{quote_name(column)}"), kind


def _value(value: str, kind: str) -> str:
    return quote_value(value) if kind == TEXT else f"TRY_CAST({quote_value(value)} AS {kind})"


def as_text(column: str, types: Types) -> str:
    """A value as text; NULL becomes the empty string."""
    return f"coalesce({as_nullable_text(column, types)}, '')"


def as_nullable_text(column: str, types: Types) -> str:
    name = f"{ROWS}.{quote_name(column)}"
    return name if types.get(column) == TEXT else f"CAST({name} AS VARCHAR)"


def chosen(query: Query, types: Types) -> list[str]:
    """The selected columns."""
    if query.columns is None:
        return list(types)
    if not query.columns:
        raise NoColumns
    return list(query.columns)


def _contains(text: str, columns: list[str], types: Types) -> str:
    """Return the condition that a text is in any of the columns, regardless of case."""
    wanted = f"lower({quote_value(text)})"
    return " OR ".join(f"contains(lower({as_text(column, types)}), {wanted})" for column in columns) or "false"
