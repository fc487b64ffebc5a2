"""Project tables, as services give them to a workspace."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import msgspec

from penstock.foundation.lake import Column, LakeTable, Query
from penstock.sql.models import Names


class TableLink(msgspec.Struct, frozen=True, kw_only=True):
    """A project table that the workspace may read, and the name under which statements find it."""

    schema: str
    """The id of the bucket: `in.c-main`."""
    name: str
    table: LakeTable
    columns: tuple[Column, ...]
    """The readable ones, in order; those of the lake that are not here do not exist for the workspace."""
    query: Query = Query()
    """For an alias with a filter: the rows that it has."""
    has_timestamp: bool = False
    """Whether it also has the column `_timestamp`, when each row was last written."""


FindTables = Callable[[Names], Sequence[TableLink]]
"""The project tables with these names that the workspace may read. Others do not exist for it."""


class LoadColumn(msgspec.Struct, frozen=True, kw_only=True):
    source: str
    """The name of the column in the project table."""
    name: str
    """Its name in the workspace."""
    type: str = ""
    """Its type in the workspace, as the database writes it; empty if it stays as it is."""
    empty_is_null: bool = False


class TableLoad(msgspec.Struct, frozen=True, kw_only=True):
    """Fills a table of the workspace with the rows of a project table."""

    id: str = ""
    """Given again, after it is not known how the load ended, it happens once. A running load is canceled by it."""
    link: TableLink
    target: str
    """The name of the table in the workspace."""
    mode: Literal["copy", "clone", "view"] = "copy"
    """`clone` takes no time: its rows are copied when they are changed for the first time. `view` is the project table
    as it is when the view is queried."""
    columns: tuple[LoadColumn, ...] = ()
    """All of the link's if empty."""
    query: Query = Query()
    """The rows to load."""
    incremental: bool = False
    """Add to the table if it exists; rows with the same primary key are replaced."""
    overwrite: bool = False
    """Replace the table if it exists. Without this and `incremental`, an existing table is an error."""
    primary_key: tuple[str, ...] = ()
    """Columns in the workspace."""
