"""Access to workspaces, and the removal of their records.

A workspace holds what was loaded with the rights of whoever used it, so a token that may not read all buckets sees
only those that it created.
"""

from __future__ import annotations

from penstock.foundation import ids
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.errors import RoleNotEnough
from penstock.services.storage.errors.workspaces import WorkspaceNotFound, WorkspaceOfFiles
from penstock.services.storage.models.configurations import ConfigurationKey
from penstock.services.storage.models.workspaces import WorkspaceRow
from penstock.services.storage.operations.events import add_event
from penstock.services.storage.store import blobs, workspaces

WORKSPACE = "workspace"


def get_workspace(tx: Transaction, caller: Caller, workspace_id: str | int) -> WorkspaceRow:
    """A workspace of the caller's branch."""
    number = ids.read_id(str(workspace_id))
    found = workspaces.find_workspace(tx, caller.project_id, number) if number is not None else None
    if not found or found.branch_id != caller.branch_id or not _may_use(caller, found):
        raise WorkspaceNotFound(str(workspace_id))
    return found


def get_sql_workspace(tx: Transaction, caller: Caller, workspace_id: str | int) -> WorkspaceRow:
    """A workspace of the caller's branch that has an engine."""
    row = get_workspace(tx, caller, workspace_id)
    if row.is_of_files:
        raise WorkspaceOfFiles(row.schema)
    return row


def get_deletable(tx: Transaction, caller: Caller, workspace_id: str | int) -> WorkspaceRow:
    """A member who may only read deletes what it created as such."""
    row = get_workspace(tx, caller, workspace_id)
    if caller.only_reads and not (row.is_read_only and row.creator_id == caller.token_id):
        raise RoleNotEnough(caller.role, "may delete only workspaces that it created to read with")
    return row


def has_workspace(tx: Transaction, project_id: int, workspace_id: int) -> bool:
    return workspaces.find_workspace(tx, project_id, workspace_id) is not None


def list_workspaces(tx: Transaction, caller: Caller) -> list[WorkspaceRow]:
    found = workspaces.list_workspaces(tx, caller.project_id, caller.branch_id)
    return [row for row in found if _may_use(caller, row)]


def list_of_configuration(tx: Transaction, caller: Caller, key: ConfigurationKey) -> list[WorkspaceRow]:
    return [row for row in workspaces.list_of_configuration(tx, key) if _may_use(caller, row)]


def forget_workspace(tx: Transaction, caller: Caller, row: WorkspaceRow) -> None:
    """Remove its record and those of its blobs; folders are removed afterwards, by the caller or by the next
    maintenance."""
    blobs.remove_blobs(tx, row.project_id, row.id)
    workspaces.remove_workspace(tx, row)
    add_workspace_event(tx, caller, "storage.workspaceDeleted", f"Deleted workspace {row.schema}", row)


def forget_of_configuration(tx: Transaction, caller: Caller, key: ConfigurationKey) -> None:
    for row in workspaces.list_of_configuration(tx, key):
        forget_workspace(tx, caller, row)


def forget_of_branch(tx: Transaction, caller: Caller, branch_id: int) -> None:
    for row in workspaces.list_workspaces(tx, caller.project_id, branch_id):
        forget_workspace(tx, caller, row)


def add_workspace_event(tx: Transaction, caller: Caller, event: str, message: str, row: WorkspaceRow) -> None:
    add_event(tx, caller, event, message, object_id=str(row.id), object_type=WORKSPACE)


def _may_use(caller: Caller, row: WorkspaceRow) -> bool:
    return caller.sees_all_buckets or row.creator_id == caller.token_id
