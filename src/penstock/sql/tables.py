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


class TableLoad(msgspec.Struct, frozen=True, kw_only=True):
    """Fills a table of the workspace with the rows of a project table."""

    link: TableLink
    target: str
    """The name of the table in the workspace."""
    mode: Literal["copy", "clone", "view"] = "copy"
    """`view` reads the project table whenever it is queried; `clone` is a copy of all of its columns."""
    columns: tuple[Column, ...] = ()
    """The columns to load and their types in the workspace; all of the table's if empty."""
    query: Query = Query()
    """The rows to load."""
    incremental: bool = False
    """Add to the table if it exists."""
    overwrite: bool = False
    """Replace the table if it exists. Without it, an existing table is an error."""
    primary_key: tuple[str, ...] = ()
