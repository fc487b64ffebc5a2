"""Workspaces, and their engines."""

from __future__ import annotations

import msgspec

from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.stack import Stack
from penstock.services.storage.models.workspaces import NewWorkspace, WorkspaceRow
from penstock.services.storage.operations import (
    workspace_engines,
    workspace_rows,
)
from penstock.services.storage.operations.tables import links
from penstock.services.storage.operations.tables.views import Viewer
from penstock.services.storage.operations.workspaces import credentials, logins, mappings, unloads, workspaces
from penstock.sql import Engine, Names, TableLink, Workspace


class SqlWorkspace(msgspec.Struct, frozen=True, kw_only=True):
    """A workspace, as those who run SQL in it need it."""

    id: int
    branch_id: int
    schema: str
    database: str
    user: str
    is_read_only: bool
    """Whether SQL changes nothing in it."""
    reads_storage: bool
    """Whether SQL in it reads tables of the project."""
    statement_seconds: int | None
    """How long a statement may take, if that is less than the stack allows."""
    creator_id: int
    """The token that created it."""
    engine: Workspace


def get_sql_workspace(tx: Transaction, caller: Caller, workspace_id: str) -> SqlWorkspace:
    """A workspace of the caller's branch; raises if it does not exist or the caller may not use it."""
    return _to_sql_workspace(workspace_rows.get_sql_workspace(tx, caller, workspace_id))


def log_in_to_workspace(tx: Transaction, user: str, password: str) -> tuple[Caller, SqlWorkspace]:
    """A workspace by its credentials, and the token that created it, in the branch of the workspace."""
    caller, row = logins.log_in(tx, user, password)
    return caller, _to_sql_workspace(row)


def has_workspace(tx: Transaction, project_id: int, workspace_id: int) -> bool:
    return workspace_rows.has_workspace(tx, project_id, workspace_id)


def create_workspace(
    tx: Transaction,
    caller: Caller,
    *,
    component_id: str | None = None,
    config_id: str | None = None,
    login_type: str = "",
) -> SqlWorkspace:
    """A workspace in the caller's branch, free or of a configuration. It is ready at once."""
    key = workspaces.get_key(tx, caller, component_id, config_id) if component_id and config_id else None
    wanted = NewWorkspace(login_type=login_type)
    return _to_sql_workspace(workspaces.create_workspace(tx, caller, wanted, key).row)


def forget_workspace(tx: Transaction, caller: Caller, workspace_id: int) -> SqlWorkspace:
    """Remove the record of a workspace. Call remove_workspace() when that is committed."""
    row = workspace_rows.get_deletable(tx, caller, workspace_id)
    workspace_rows.forget_workspace(tx, caller, row)
    return _to_sql_workspace(row)


def remove_workspace(stack: Stack, workspace: SqlWorkspace) -> None:
    """Stop its engine, and remove everything in it."""
    workspace_engines.engines_of(stack).remove(workspace.engine)


def set_public_key(tx: Transaction, caller: Caller, workspace_id: int, public_key: str) -> None:
    credentials.set_public_key(tx, caller, str(workspace_id), public_key)


def reset_workspace_password(tx: Transaction, caller: Caller, workspace_id: int) -> tuple[str, str]:
    """The user of the workspace, and its new password."""
    user = workspace_rows.get_sql_workspace(tx, caller, workspace_id).user
    return user, credentials.reset_password(tx, caller, str(workspace_id))


def open_engine(stack: Stack, workspace: SqlWorkspace) -> Engine:
    """A connection to the engine of the workspace, which is started if it is not running. Close it after use."""
    return workspace_engines.engines_of(stack).open(workspace.engine)


def prepare_engines(stack: Stack) -> None:
    """What is added to `stack.closers` after this is closed before the engines are."""
    workspace_engines.engines_of(stack)


def find_table_links(stack: Stack, caller: Caller, workspace: SqlWorkspace, names: Names) -> list[TableLink]:
    """The tables of the project that a statement of the caller may read in the workspace."""
    return links.find_tables(stack, caller, workspace.creator_id, names) if workspace.reads_storage else []


def load_workspace(
    tx: Transaction, caller: Caller, workspace_id: int, *, is_preserved: bool, only: str = ""
) -> list[int]:
    """Start to load the input mapping of the workspace's configuration; returns the ids of the jobs. Without
    `is_preserved` the workspace is emptied first. `only` is the name of one table in the workspace."""
    planned = mappings.plan_mapping_load(tx, caller, str(workspace_id), is_preserved=is_preserved, only=only)
    return [job.id for job in planned]


def empty_workspace(tx: Transaction, caller: Caller, workspace_id: int) -> int:
    """Start to drop all tables of the workspace; returns the id of the job."""
    return mappings.plan_emptying(tx, caller, str(workspace_id)).id


def unload_workspace(
    tx: Transaction, stack: Stack, caller: Caller, workspace_id: int, storage_url: str, *, only: str = ""
) -> list[int]:
    """Start to load tables of the workspace into Storage, by the output mapping; returns the ids of the jobs."""
    return [job.id for job in unloads.plan_unload(tx, stack, Viewer(caller, storage_url), str(workspace_id), only)]


def _to_sql_workspace(row: WorkspaceRow) -> SqlWorkspace:
    return SqlWorkspace(
        id=row.id,
        branch_id=row.branch_id,
        schema=row.schema,
        database=row.database,
        user=row.user,
        is_read_only=row.is_read_only,
        reads_storage=row.read_only_storage_access,
        statement_seconds=row.statement_timeout_seconds or None,
        creator_id=row.creator_id,
        engine=workspace_engines.to_sql(row),
    )
