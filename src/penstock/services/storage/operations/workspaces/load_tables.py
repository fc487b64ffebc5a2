"""One table of a load, as the engine of the workspace loads it."""

from __future__ import annotations

import msgspec

from penstock.foundation.lake import folded
from penstock.services.storage.errors.tables import NoSuchColumn
from penstock.services.storage.errors.workspaces import InvalidLoad
from penstock.services.storage.models.column_types import GivenType, read_type
from penstock.services.storage.models.tables import TableRow
from penstock.services.storage.models.workspace_loads import NAME_CHARACTERS, LoadInput
from penstock.services.storage.models.workspace_loads import LoadColumn as GivenColumn
from penstock.services.storage.operations.tables.links import to_link
from penstock.services.storage.operations.tables.queries import read_query
from penstock.services.storage.operations.tables.tables import Located
from penstock.sql import LoadColumn, TableLoad

VIEW, CLONE = "VIEW", "CLONE"


def to_load(located: Located, load_input: LoadInput, *, is_clone: bool) -> TableLoad:
    """Raises what is wrong with its columns and filters. A clone has all rows and columns, and `_timestamp`."""
    columns = tuple(_column(located.row, each) for each in load_input.columns)
    _check_names(columns, load_input)
    # The filter of an alias is part of the link, whose columns need not include that of the filter.
    query = read_query(msgspec.structs.replace(located.row, alias_filter=None), load_input.rows_query)
    is_whole = not columns and not located.row.alias_filter and query.is_everything and not load_input.incremental
    is_clone = (is_clone or load_input.load_type.upper() == CLONE) and is_whole
    link = to_link(located, has_timestamp=is_clone and not load_input.drop_timestamp_column)
    mode = "clone" if is_clone else "view" if is_whole and _is_view(load_input) else "copy"
    return TableLoad(
        link=link,
        target=load_input.destination,
        mode=mode,
        columns=columns,
        query=query,
        incremental=load_input.incremental,
        overwrite=load_input.overwrite,
    )


def _is_view(load_input: LoadInput) -> bool:
    return load_input.use_view or load_input.load_type.upper() == VIEW


def _column(row: TableRow, value: str | GivenColumn) -> LoadColumn:
    if isinstance(value, str):
        value = GivenColumn(source=value)
    if value.source not in row.columns:
        raise NoSuchColumn(value.source, row.id)
    name = value.destination or value.source
    definition = GivenType(type=value.type, length=value.length, nullable=value.nullable)
    kind = read_type(name, definition, None)
    return LoadColumn(
        source=value.source,
        name=name,
        type=kind.lake_type if kind else "",
        empty_is_null=value.convert_empty_values_to_null,
    )


def _check_names(columns: tuple[LoadColumn, ...], load_input: LoadInput) -> None:
    names = [folded(column.name) for column in columns]
    if len(set(names)) < len(names):
        raise InvalidLoad(
            f'Two columns of "{load_input.destination}" have the same name; give each its own `destination`.'
        )
    if any(len(column.name) > NAME_CHARACTERS or "\0" in column.name for column in columns):
        raise InvalidLoad(f"A column of a workspace has a name of at most {NAME_CHARACTERS} characters.")
