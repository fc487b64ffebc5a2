"""Row queries of clients, validated against the table and translated for the lake."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from penstock.foundation.errors import Invalid
from penstock.foundation.lake import Filter, Order, Query
from penstock.foundation.strtotime import read_time
from penstock.services.storage.errors.tables import InvalidTable, NoSuchColumn, NoSuchColumns
from penstock.services.storage.models.queries import OrderBy, RowsQuery, WhereFilter
from penstock.services.storage.models.tables import TableRow

OPERATORS = {"eq": "eq", "ne": "ne", "neq": "ne", "gt": "gt", "ge": "ge", "lt": "lt", "le": "le"}
MANY = ("eq", "ne")
"""The operators that accept several values."""
TYPES = ("INTEGER", "DOUBLE", "BIGINT", "REAL", "DECIMAL")
MAX_ROWS = 2**63 - 1
"""The largest limit that the engine accepts."""


def read_query(table: TableRow, asked: RowsQuery, default_limit: int | None = None) -> Query:
    """Raises if the query is not valid. An alias includes only the rows that its filter matches."""
    filters = [*asked.where_filters, *_old_filter(asked)]
    if asked.fulltext_search and asked.where_filters:
        raise InvalidTable("Use either `fulltextSearch` or `whereFilters`, not both.")
    return Query(
        columns=tuple(read_columns(table, asked.columns)),
        filters=(*(read_filter(table, each) for each in filters), *_own_filter(table)),
        changed_since=_time(asked.changed_since, "changedSince"),
        changed_until=_time(asked.changed_until, "changedUntil"),
        order_by=tuple(_order(table, each) for each in asked.order_by),
        limit=min(asked.limit, MAX_ROWS) or default_limit,
        fulltext=asked.fulltext_search or None,
    )


def read_columns(table: TableRow, asked: str | Sequence[str]) -> list[str]:
    """Return columns in the requested order; all columns if none are requested."""
    names = asked.split(",") if isinstance(asked, str) else asked
    chosen = list(dict.fromkeys(name.strip() for name in names if name.strip()))
    unknown = [name for name in chosen if name not in table.columns]
    if unknown:
        raise NoSuchColumns(unknown, table.id)
    return chosen or table.columns


def _old_filter(asked: RowsQuery) -> list[WhereFilter]:
    if not asked.where_column:
        return []
    return [WhereFilter(column=asked.where_column, operator=asked.where_operator, values=asked.where_values)]


def _own_filter(table: TableRow) -> list[Filter]:
    """Validated when the alias was created; the alias need not include its column."""
    given = table.alias_filter
    return [Filter(given["column"], given["operator"], tuple(given["values"]))] if given else []


def read_filter(table: TableRow, asked: WhereFilter) -> Filter:
    operator = OPERATORS.get(asked.operator.lower() or "eq")
    if not operator:
        raise InvalidTable(f'"{asked.operator}" is not a valid operator; use one of {", ".join(OPERATORS)}.')
    values = tuple(_text(value) for value in asked.values)
    if not values or (len(values) > 1 and operator not in MANY):
        raise InvalidTable(
            f'A filter with the operator "{operator}" needs {"values" if operator in MANY else "one value"}.'
        )
    return Filter(_column(table, asked.column), operator, values, _type(asked.data_type))


def _order(table: TableRow, asked: OrderBy) -> Order:
    if asked.order.upper() not in ("ASC", "DESC", ""):
        raise InvalidTable(f'"{asked.order}" is not a valid order; use ASC or DESC.')
    return Order(_column(table, asked.column), asked.order.upper() == "DESC", _type(asked.data_type))


def _column(table: TableRow, name: str) -> str:
    if name not in table.columns:
        raise NoSuchColumn(name, table.id)
    return name


def _type(value: str) -> str | None:
    if value and value.upper() not in (*TYPES, "STRING", "VARCHAR"):
        raise InvalidTable(f'"{value}" is not a data type to compare as; use one of {", ".join(TYPES)}.')
    return value.upper() if value.upper() in TYPES else None


def _time(value: str | int, field: str) -> datetime | None:
    if value == "":
        return None
    moment = read_time(str(value))
    if not moment:
        raise Invalid(
            f'Invalid request:\n - {field}: "{value}" is not a valid time; use unix seconds, or text as `-2 days`.'
        )
    return moment


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "1" if value else "0"
    if not isinstance(value, str | int | float):
        raise InvalidTable("The values of a filter are texts and numbers.")
    return str(value)
