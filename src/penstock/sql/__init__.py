"""SQL of users: one locked DuckDB process for each active workspace, behind the sandbox of components.

models.py       workspaces, statements, results
tables.py       project tables that a workspace may read, and loads of them
errors.py       what can go wrong
places.py       where in a statement, as the database shows it
engines.py      opens, starts and removes engines
engine.py       a connection to one
starting.py     the process, its limits and its sandbox
folders.py      the folder of a workspace
sockets.py      Unix sockets in deep folders
messages.py     what is sent over them
links.py        the files of project tables, linked
clones.py       those of cloned tables
views.py        project tables as queries over links to their files
process/        the engine process itself
dialect/        the dialect of Snowflake
postgresql/     the catalog of PostgreSQL
wire/           rows in its protocol
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from penstock.sql.engine import Engine
    from penstock.sql.engines import Engines
    from penstock.sql.errors import (
        EngineStopped,
        EngineUnavailable,
        Position,
        ResponseTooLarge,
        ResultGone,
        SessionGone,
        StatementCanceled,
        StatementFailed,
        StatementTimedOut,
        TableExists,
        TableMissing,
    )
    from penstock.sql.models import (
        Dialect,
        EncodedRows,
        FileFormat,
        Limits,
        Names,
        Outcome,
        Page,
        ResultColumn,
        Statement,
        TableName,
        Workspace,
        WorkspaceTable,
    )
    from penstock.sql.tables import FindTables, LoadColumn, TableLink, TableLoad

__all__ = [
    "Dialect",
    "EncodedRows",
    "Engine",
    "EngineStopped",
    "EngineUnavailable",
    "Engines",
    "FileFormat",
    "FindTables",
    "Limits",
    "LoadColumn",
    "Names",
    "Outcome",
    "Page",
    "Position",
    "ResponseTooLarge",
    "ResultColumn",
    "ResultGone",
    "SessionGone",
    "Statement",
    "StatementCanceled",
    "StatementFailed",
    "StatementTimedOut",
    "TableExists",
    "TableLink",
    "TableLoad",
    "TableMissing",
    "TableName",
    "Workspace",
    "WorkspaceTable",
]
_MODULES = ("models", "errors", "tables", "engine", "engines")


def __getattr__(name: str) -> Any:
    """Imported when they are used: the engine process, which is in this package too, has to start fast."""
    if name in __all__:
        for module in _MODULES:
            found = import_module(f"{__name__}.{module}")
            if hasattr(found, name):
                return getattr(found, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
