"""The values of a batch at a path, and their cells, a whole column at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from penstock.extractor.base.errors import UserError
from penstock.extractor.base.json_text import json_text
from penstock.extractor.base.path import look_up
from penstock.extractor.base.values import as_json, to_text
from penstock.extractor.records.columns import Column as Values
from penstock.extractor.records.mapping.table import Column

SHOWN = 200
"""How much of a value an error shows."""
_NESTED = frozenset({dict, list})


def values_at(key: str, delimiter: str, rows: list[Any]) -> list[Any]:
    """Returns the same as `look_up` for every row; an empty key is the row itself, if it is neither an object nor a
    list."""
    if key == delimiter:
        return rows
    if not key:
        return [look_up(key, row, delimiter) if type(row) in _NESTED else row for row in rows]
    values = rows
    for step in key.split(delimiter):
        values = _step(step, delimiter, values)
    return values


def read_values(column: Column, rows: list[Any], extra: dict[str, Any]) -> list[Any]:
    """Returns the values of a column, lists and objects included."""
    if column.is_user:
        return [look_up(column.key, extra, "/")] * len(rows)
    return values_at(column.key, column.delimiter, rows)


def read_sources(
    columns: Sequence[Column], rows: list[Any], extra: dict[str, Any], data_type: str, *, is_typed: bool
) -> dict[str, Values]:
    """Returns the values to write, by destination; raises UserError for a list or an object in a column that does not
    accept one. Without types, values of the configuration become texts as in the original."""
    values = {column: _texts(column, read_values(column, rows, extra), is_typed) for column in columns}
    nested = [column for column in columns if not _NESTED.isdisjoint(map(type, values[column]))]
    if nested:
        raise _not_scalar(data_type, {column: values[column] for column in nested})
    return {column.destination: Values(values[column]) for column in columns}


def _step(step: str, delimiter: str, values: list[Any]) -> list[Any]:
    kinds = set(map(type, values))
    if kinds == {dict}:
        return [value.get(step) for value in cast(list[dict[str, Any]], values)]
    if kinds.isdisjoint(_NESTED):
        return [None] * len(values)
    return [None if value is None else look_up(step, value, delimiter) for value in values]


def _texts(column: Column, values: list[Any], is_typed: bool) -> list[Any]:
    if column.is_user:
        return [_user_text(column, values[0], is_typed)] * len(values) if values else []
    if column.is_json:
        return [json_text(value) if type(value) in _NESTED else value for value in values]
    return values


def _user_text(column: Column, value: Any, is_typed: bool) -> Any:
    if type(value) not in _NESTED:
        return value if is_typed else to_text(value)
    return json_text(as_json(value)) if column.is_json else value


def _not_scalar(data_type: str, values: dict[Column, list[Any]]) -> UserError:
    row = next(row for row in zip(*values.values(), strict=True) if not _NESTED.isdisjoint(map(type, row)))
    nested = [(column, value) for column, value in zip(values, row, strict=True) if type(value) in _NESTED]
    column, value = nested[0]
    # Extra columns come from the configuration and may contain a secret.
    rendered = "a list or an object" if column.is_user else json_text(value)[:SHOWN]
    names = ",".join(column.destination for column, _value in nested)
    return UserError(
        f"Error saving '{data_type}' data to CSV column: Error writing '{names}' column: "
        f"Cannot write data into column: {rendered}. Set `forceType` to true next to its `mapping` to write JSON text."
    )
