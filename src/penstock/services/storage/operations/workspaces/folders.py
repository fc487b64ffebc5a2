"""The folders of workspaces: their databases and results, removed with their engines."""

from __future__ import annotations

from datetime import timedelta

from penstock.foundation import clock
from penstock.foundation.errors import AppError
from penstock.foundation.logging import Log
from penstock.foundation.stack import Stack
from penstock.services.storage.models.workspaces import WorkspaceRow
from penstock.services.storage.operations.workspace_engines import engines_of, to_sql
from penstock.services.storage.store import workspaces
from penstock.sql import Workspace

FOLDER = "workspaces"
log = Log("storage")


def maintain_folders(stack: Stack) -> None:
    """Remove orphans, and from the other folders links to files that are used no more."""
    remove_orphans(stack)
    present, known = _find(stack)
    for number in present & known.keys():
        try:
            engines_of(stack).remove_unused_files(to_sql(known[number]))
        except (AppError, OSError) as error:
            # A workspace whose engine does not start must not prevent the maintenance of the others.
            log.warning("workspace not maintained", workspace_id=number, reason=str(error))


def remove_expired_workspaces(stack: Stack) -> None:
    """Those that nobody used for as many days as the setting says: their records and credentials, engines and
    folders."""
    days = stack.settings.sql_workspace_days
    if not days:
        return
    oldest = clock.now() - timedelta(days=days)
    with stack.database.reading() as tx:
        old = [row for row in workspaces.list_every_workspace(tx) if row.created < oldest]
    for row in old:
        used = engines_of(stack).find_last_use(to_sql(row))
        if used is None or used < oldest:
            with stack.database.writing(row.project_id) as tx:
                workspaces.remove_workspace(tx, row)
            engines_of(stack).remove(to_sql(row))
            log.info("workspace expired", workspace_id=row.id, project_id=row.project_id)


def remove_orphans(stack: Stack) -> None:
    """Remove the folders of workspaces that were deleted with a branch or a configuration, or by a killed process."""
    present, known = _find(stack)
    for number in present - known.keys():
        # Only the id says where its folder is.
        engines_of(stack).remove(Workspace(0, number, "", ""))


def _find(stack: Stack) -> tuple[set[int], dict[int, WorkspaceRow]]:
    """The numbers of folders, and the workspaces that exist."""
    present = {int(path.name) for path in (stack.folder / FOLDER).glob("*") if path.name.isdecimal()}
    if not present:
        return present, {}
    with stack.database.reading() as tx:
        return present, {row.id: row for row in workspaces.list_every_workspace(tx)}
