"""The SQL engines of workspaces, as this process uses them."""

from __future__ import annotations

import threading
from functools import partial
from pathlib import Path

from penstock.foundation.blobs import BlobFolder
from penstock.foundation.stack import Stack
from penstock.services.management import interface as management
from penstock.services.storage.errors.workspaces import WorkspaceOfFiles
from penstock.services.storage.models.workspaces import WorkspaceRow
from penstock.sql import Engine, Engines, Workspace

_engines: dict[Path, Engines] = {}
_creating = threading.Lock()


def open_engine(stack: Stack, row: WorkspaceRow) -> Engine:
    """A connection to the engine of the workspace, which is started if it is not running. Close it after use."""
    if row.is_of_files:
        raise WorkspaceOfFiles(row.schema)
    return engines_of(stack).open(to_sql(row))


def remove_engine(stack: Stack, row: WorkspaceRow) -> None:
    """Stop the engine of a workspace whose record is gone, and remove its folder; or the files of one of files."""
    if row.is_of_files:
        BlobFolder(stack.files_folder).remove(row.id)
    else:
        engines_of(stack).remove(to_sql(row))


def to_sql(row: WorkspaceRow) -> Workspace:
    return Workspace(row.project_id, row.id, row.schema, row.database)


def engines_of(stack: Stack) -> Engines:
    """Return the engines of the stack in this process. Engines that it started end when the stack is closed."""
    with _creating:
        found = _engines.get(stack.folder)
        if not found:
            found = _engines[stack.folder] = Engines(stack, partial(_count_projects, stack))
            stack.closers.append(partial(_close, stack.folder))
        return found


def _close(folder: Path) -> None:
    with _creating:
        found = _engines.pop(folder)
    found.close()


def _count_projects(stack: Stack) -> int:
    with stack.database.reading() as tx:
        return management.count_projects(tx)
