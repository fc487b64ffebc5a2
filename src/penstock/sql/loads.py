"""Loads of project tables into a workspace, as queries for its engine."""

from __future__ import annotations

import msgspec

from penstock.foundation.lake import INTERNAL_TIMESTAMP
from penstock.foundation.lake.query import ROWS, rest, where
from penstock.foundation.lake.types import HIDDEN, TEXT
from penstock.foundation.stack import Stack
from penstock.foundation.text.quoting import quote_name
from penstock.sql.clones import new_clone
from penstock.sql.folders import WorkspaceFolder, from_data
from penstock.sql.links import Links
from penstock.sql.messages import LoadTable, TableView
from penstock.sql.tables import LoadColumn, TableLink, TableLoad
from penstock.sql.views import make_views, select_from


def to_request(stack: Stack, folder: WorkspaceFolder, load: TableLoad) -> LoadTable:
    source, views = _find_source(stack, folder, load)
    return LoadTable(
        id=load.id,
        target=load.target,
        sql=_select(load, source),
        views=views,
        mode=load.mode,
        incremental=load.incremental,
        overwrite=load.overwrite,
        primary_key=load.primary_key,
    )


def _find_source(stack: Stack, folder: WorkspaceFolder, load: TableLoad) -> tuple[str, list[TableView]]:
    """What the rows are read from, and the views that have to be there."""
    if load.mode == "view":
        link = load.link
        return f"{quote_name(link.schema)}.{quote_name(link.name)}", make_views(stack, folder, [link])
    links = Links(new_clone(folder) if load.mode == "clone" else folder.tables, stack)
    return f"({from_data(folder, select_from(stack.lake, links, _with_timestamp(load)))})", []


def _with_timestamp(load: TableLoad) -> TableLink:
    """Rows may be chosen by the time when they were written."""
    is_needed = load.query.changed_since is not None or load.query.changed_until is not None
    return msgspec.structs.replace(load.link, has_timestamp=load.link.has_timestamp or is_needed)


def _select(load: TableLoad, source: str) -> str:
    types = {**{column.name: column.type for column in load.link.columns}, **HIDDEN}
    columns = load.columns or _all_columns(load.link)
    values = ", ".join(_value(column, types) for column in columns)
    return f"SELECT {values} FROM {source} AS {ROWS} WHERE {where(load.query, types)}{rest(load.query, types)}"


def _all_columns(link: TableLink) -> tuple[LoadColumn, ...]:
    names = [*(column.name for column in link.columns), *([INTERNAL_TIMESTAMP] if link.has_timestamp else [])]
    return tuple(LoadColumn(source=name, name=name) for name in names)


def _value(column: LoadColumn, types: dict[str, str]) -> str:
    value = f"{ROWS}.{quote_name(column.source)}"
    if column.empty_is_null and types.get(column.source, TEXT) == TEXT:
        value = f"nullif({value}, '')"
    return f"{f'CAST({value} AS {column.type})' if column.type else value} AS {quote_name(column.name)}"
