"""The folders of workspaces: their databases and results, removed with their engines."""

from __future__ import annotations

from datetime import datetime, timedelta

from penstock.foundation import clock
from penstock.foundation.blobs import BlobFolder
from penstock.foundation.callers import Caller
from penstock.foundation.errors import AppError
from penstock.foundation.logging import Log
from penstock.foundation.stack import Stack
from penstock.services.storage.models.workspaces import WorkspaceRow
from penstock.services.storage.operations.workspace_engines import engines_of, remove_engine, to_sql
from penstock.services.storage.operations.workspace_rows import forget_workspace, has_workspace
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
            log.warning("maintenance of a workspace failed", workspace_id=number, reason=str(error))


def remove_expired_workspaces(stack: Stack) -> None:
    """Remove workspaces that no one used for as many days as the setting specifies: their records and credentials,
    engines and folders."""
    days = stack.settings.sql_workspace_days
    if not days:
        return
    oldest = clock.now() - timedelta(days=days)
    with stack.database.reading() as tx:
        old = [row for row in workspaces.list_every_workspace(tx) if row.created < oldest]
    for row in old:
        try:
            _remove_if_unused(stack, row, oldest)
        except (AppError, OSError) as error:
            # One that cannot be removed must not prevent the removal of the others.
            log.warning("removal of a workspace failed", workspace_id=row.id, reason=str(error))


def _remove_if_unused(stack: Stack, row: WorkspaceRow, oldest: datetime) -> None:
    if not _is_unused(stack, row, oldest):
        return
    with stack.database.writing(row.project_id) as tx:
        # Again: somebody may have used it, or deleted it, while this waited for its turn.
        if not has_workspace(tx, row.project_id, row.id) or not _is_unused(stack, row, oldest):
            return
        forget_workspace(tx, _creator_of(row), row)
    remove_engine(stack, row)
    log.info("workspace expired", workspace_id=row.id, project_id=row.project_id)


def _is_unused(stack: Stack, row: WorkspaceRow, oldest: datetime) -> bool:
    if row.is_of_files:
        used = BlobFolder(stack.files_folder).find_last_use(row.id)
    else:
        used = engines_of(stack).find_last_use(to_sql(row))
    return used is None or used < oldest


def _creator_of(row: WorkspaceRow) -> Caller:
    """Return the creator, in whose name it expires."""
    return Caller(
        project_id=row.project_id,
        branch_id=row.branch_id,
        token_id=row.creator_id,
        description=row.creator_description,
    )


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
