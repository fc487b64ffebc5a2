"""The folders of workspaces: their databases and results, removed with their engines."""

from __future__ import annotations

import shutil

from penstock.foundation.stack import Stack
from penstock.services.storage.models.workspaces import WorkspaceRow
from penstock.services.storage.store import workspaces


def remove_folder(stack: Stack, row: WorkspaceRow) -> None:
    """Stop the engine of a workspace whose record is gone, and remove what it has kept."""
    shutil.rmtree(stack.folder / "workspaces" / str(row.id), ignore_errors=True)


def remove_orphans(stack: Stack) -> None:
    """Remove the folders of workspaces that were deleted with a branch or a configuration, or by a killed process."""
    present = {int(path.name) for path in (stack.folder / "workspaces").glob("*") if path.name.isdecimal()}
    if not present:
        return
    with stack.database.reading() as tx:
        known = {row.id for row in workspaces.list_every_workspace(tx)}
    for number in present - known:
        shutil.rmtree(stack.folder / "workspaces" / str(number), ignore_errors=True)
