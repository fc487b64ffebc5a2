"""The folders of workspaces: their databases and results, removed with their engines."""

from __future__ import annotations

from penstock.foundation.stack import Stack
from penstock.services.storage.operations.workspace_engines import engines_of
from penstock.services.storage.store import workspaces
from penstock.sql import Workspace

FOLDER = "workspaces"


def remove_orphans(stack: Stack) -> None:
    """Remove the folders of workspaces that were deleted with a branch or a configuration, or by a killed process."""
    present = {int(path.name) for path in (stack.folder / FOLDER).glob("*") if path.name.isdecimal()}
    if not present:
        return
    with stack.database.reading() as tx:
        known = {row.id for row in workspaces.list_every_workspace(tx)}
    for number in present - known:
        # Only the id says where its folder is.
        engines_of(stack).remove(Workspace(0, number, "", ""))
