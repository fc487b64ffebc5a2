"""How the table of a data type is loaded: its primary key, and whether its rows are added."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from penstock.extractor.base.errors import UserError
from penstock.extractor.records.layout import Layout
from penstock.extractor.records.names import column_name, table_name

Upserts = Mapping[str, "Upsert"]
"""By data type."""
MAX_SHOWN = 20


class Upsert(msgspec.Struct, frozen=True):
    primary_key: tuple[str, ...] = ()
    incremental: bool | None = None
    """None for the setting of `config`."""


def load_settings(layout: Layout, upserts: Upserts, *, is_incremental: bool) -> tuple[tuple[str, ...], bool]:
    """Returns the primary key of a table, and whether its rows are added. Tables of arrays within records have no key,
    but their rows are added too if those of the records are."""
    for data_type, upsert in upserts.items():
        is_own = layout.name == table_name(data_type)
        if is_own or layout.path.startswith(f"{data_type}."):
            added = is_incremental if upsert.incremental is None else upsert.incremental
            return _key(layout, upsert.primary_key, data_type) if is_own else layout.primary_key, added
    return layout.primary_key, is_incremental


def key_places(layout: Layout, upserts: Upserts) -> list[int]:
    """Returns the indexes of the columns of a job's primary key in its table; none if a column is missing."""
    for data_type, upsert in upserts.items():
        if layout.name == table_name(data_type):
            columns = _columns(layout, upsert.primary_key)
            return list(map(layout.header.index, columns)) if set(columns) <= set(layout.header) else []
    return []


def _key(layout: Layout, names: tuple[str, ...], data_type: str) -> tuple[str, ...]:
    columns = _columns(layout, names)
    for name, column in zip(names, columns, strict=True):
        if column not in layout.header:
            existing = ", ".join(f"`{column}`" for column in layout.header[:MAX_SHOWN])
            raise UserError(
                f"`primaryKey` of '{data_type}' names `{name}`, but its table has no such column. It has {existing}."
            )
    return tuple(columns) or layout.primary_key


def _columns(layout: Layout, names: tuple[str, ...]) -> list[str]:
    """Returns columns by their names, or by the paths that they are made from."""
    return [name if name in layout.header else column_name(name) for name in names]
