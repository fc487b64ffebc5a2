"""Passwords, public keys and additional key pairs of workspaces."""

from __future__ import annotations

from penstock.foundation import clock, ids
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.services.storage.errors.workspaces import (
    CredentialsNotFound,
    InvalidPublicKey,
    InvalidWorkspace,
    NoPasswordReset,
    UnknownPublicKeyName,
)
from penstock.services.storage.models.workspaces import CredentialsRow, WorkspaceRow
from penstock.services.storage.operations.holders import hold
from penstock.services.storage.operations.workspace_rows import add_workspace_event, get_sql_workspace, get_workspace
from penstock.services.storage.operations.workspaces.secrets import hash_password, new_password, read_public_key
from penstock.services.storage.operations.workspaces.workspaces import WITH_PASSWORD
from penstock.services.storage.store import workspaces

MAX_CREDENTIALS = 1000
FIRST_KEY = "RSA_PUBLIC_KEY"
KEYS = {FIRST_KEY: "public_key", "RSA_PUBLIC_KEY_2": "public_key_2"}
"""Columns, by the names that the keys of a user have in Snowflake."""


def reset_password(tx: Transaction, caller: Caller, workspace_id: str) -> str:
    """The new password; the old one is not valid any more."""
    row, password = get_workspace(tx, caller, workspace_id), new_password()
    if row.login_type not in WITH_PASSWORD:
        raise NoPasswordReset(row.login_type)
    workspaces.change_workspace(tx, row, password_hash=hash_password(password), **hold(caller))
    message = f"Reset the password of workspace {row.schema}"
    add_workspace_event(tx, caller, "storage.workspacePasswordReset", message, row)
    return password


def renew_connection(tx: Transaction, caller: Caller, row: WorkspaceRow) -> WorkspaceRow:
    """A workspace of files whose connection strings are not valid any more; the next one that is signed is."""
    message = f"Reset the connection string of workspace {row.schema}"
    add_workspace_event(tx, caller, "storage.workspacePasswordReset", message, row)
    return workspaces.change_workspace(tx, row, password_hash=hash_password(new_password()), **hold(caller))


def set_public_key(
    tx: Transaction, caller: Caller, workspace_id: str, public_key: str, name: str = FIRST_KEY
) -> WorkspaceRow:
    row, key = get_sql_workspace(tx, caller, workspace_id), read_public_key(public_key)
    if name not in KEYS:
        raise UnknownPublicKeyName(name, tuple(KEYS))
    if not key:
        raise InvalidPublicKey
    return workspaces.change_workspace(tx, row, **{KEYS[name]: key})


def create_credentials(
    tx: Transaction, caller: Caller, workspace_id: str, public_key: str
) -> tuple[WorkspaceRow, CredentialsRow]:
    """The private key is known to the caller only."""
    workspace = get_sql_workspace(tx, caller, workspace_id)
    if workspaces.count_credentials(tx, workspace) >= MAX_CREDENTIALS:
        raise InvalidWorkspace(f"A workspace has at most {MAX_CREDENTIALS} credentials. Delete some first.")
    row = CredentialsRow(
        id=ids.new_id(tx),
        project_id=workspace.project_id,
        workspace_id=workspace.id,
        public_key=public_key,
        created=clock.now(),
        creator_id=caller.token_id,
    )
    workspaces.add_credentials(tx, row)
    return workspace, row


def get_credentials(
    tx: Transaction, caller: Caller, workspace_id: str, credentials_id: str
) -> tuple[WorkspaceRow, CredentialsRow]:
    workspace, number = get_sql_workspace(tx, caller, workspace_id), ids.read_id(credentials_id)
    found = workspaces.find_credentials(tx, workspace, number) if number is not None else None
    if not found:
        raise CredentialsNotFound(credentials_id)
    return workspace, found


def remove_credentials(tx: Transaction, caller: Caller, workspace_id: str, credentials_id: str) -> None:
    _, row = get_credentials(tx, caller, workspace_id, credentials_id)
    workspaces.remove_credentials(tx, row)
