"""Workspaces: created and deleted. The database of a workspace is made by its engine when it is first used."""

from __future__ import annotations

from typing import NamedTuple

from penstock.foundation import clock, ids
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.errors import RoleNotEnough
from penstock.services.storage.errors.workspaces import (
    BackendNotSupported,
    InvalidWorkspace,
    UnsupportedBackendSize,
)
from penstock.services.storage.models.configurations import ConfigurationKey
from penstock.services.storage.models.workspaces import BACKEND, FILE_BACKEND, READER, NewWorkspace, WorkspaceRow
from penstock.services.storage.operations.branches import get_branch
from penstock.services.storage.operations.configurations.components import key_of
from penstock.services.storage.operations.configurations.configurations import get_configuration
from penstock.services.storage.operations.holders import hold
from penstock.services.storage.operations.workspace_rows import add_workspace_event
from penstock.services.storage.operations.workspaces.secrets import hash_password, new_password, read_public_key
from penstock.services.storage.store import workspaces

DEFAULT_LOGIN = "default"
WITH_PASSWORD = (DEFAULT_LOGIN, "snowflake-legacy-service")
LOGIN_TYPES = (
    *WITH_PASSWORD,
    "none",
    "snowflake-person-sso",
    "snowflake-person-keypair",
    "snowflake-service-keypair",
)
FILE_LOGINS = (DEFAULT_LOGIN,)
"""Of workspaces of files: the connection string is all that they need."""
SIZES = ("xsmall", "small", "medium", "large", "xlarge")
"""Kept and returned. All workspaces of a stack have the same limits, which its settings say."""
MAX_READERS = 10
"""Workspaces that one member who may only read may have."""
POLICIES, USE_CASES = ("", "user", "system"), ("normal", READER)


class Created(NamedTuple):
    """A new workspace, and its password if it has one. That of a workspace of files is never shown."""

    row: WorkspaceRow
    password: str | None


def create_workspace(
    tx: Transaction, caller: Caller, new_workspace: NewWorkspace, key: ConfigurationKey | None = None
) -> Created:
    """A workspace of its own, or of a configuration. That of a member who may only read is a reader."""
    _check(new_workspace)
    backend = new_workspace.backend.lower() or BACKEND
    if caller.only_reads:
        _check_reader(tx, caller, new_workspace, key)
    get_branch(tx, caller, str(caller.branch_id))
    login = new_workspace.login_type or DEFAULT_LOGIN
    password = new_password() if login in WITH_PASSWORD else None
    row = WorkspaceRow(
        id=ids.new_id(tx),
        project_id=caller.project_id,
        branch_id=caller.branch_id,
        backend=backend,
        component=key.component_id if key else None,
        configuration_id=key.id if key else None,
        backend_size=new_workspace.backend_size or None,
        statement_timeout_seconds=new_workspace.statement_timeout_seconds,
        login_type=login,
        public_key=read_public_key(new_workspace.public_key),
        password_hash=hash_password(password) if password else None,
        read_only_storage_access=new_workspace.read_only_storage_access,
        use_case=new_workspace.use_case or (READER if caller.only_reads else USE_CASES[0]),
        created=clock.now(),
        creator_id=caller.token_id,
        creator_description=caller.description,
        **hold(caller),
    )
    workspaces.add_workspace(tx, row)
    add_workspace_event(tx, caller, "storage.workspaceCreated", f"Created workspace {row.schema}", row)
    return Created(row, password)


def get_key(tx: Transaction, caller: Caller, component_id: str, config_id: str) -> ConfigurationKey:
    """The configuration whose workspaces are meant; raises if it does not exist."""
    key = key_of(tx, caller, component_id, config_id)
    return get_configuration(tx, key).key


def _check_reader(tx: Transaction, caller: Caller, new_workspace: NewWorkspace, key: ConfigurationKey | None) -> None:
    if new_workspace.backend.lower() == FILE_BACKEND:
        raise RoleNotEnough(caller.role, "may not create workspaces of files")
    if new_workspace.use_case not in ("", READER):
        raise RoleNotEnough(caller.role, "may create only workspaces that read: leave `useCase` out")
    if key:  # others who use the configuration would find it, and could not write in it
        raise RoleNotEnough(caller.role, "may not add a workspace to a configuration")
    if workspaces.count_readers(tx, caller.project_id, caller.token_id) >= MAX_READERS:
        raise InvalidWorkspace(
            f"You have {MAX_READERS} workspaces to read with, and more are not created. Delete one first, or use one."
        )


def _check(new_workspace: NewWorkspace) -> None:
    backend = new_workspace.backend.lower() or BACKEND
    if new_workspace.backend_size and (backend != BACKEND or new_workspace.backend_size.lower() not in SIZES):
        raise UnsupportedBackendSize(new_workspace.backend_size, new_workspace.backend or BACKEND, SIZES)
    if backend not in (BACKEND, FILE_BACKEND):
        raise BackendNotSupported(new_workspace.backend, BACKEND, FILE_BACKEND)
    if backend == FILE_BACKEND and new_workspace.public_key:
        raise InvalidWorkspace("A workspace of files has a connection string and no key: leave `publicKey` out.")
    _check_word("loginType", new_workspace.login_type, ("", *(FILE_LOGINS if backend == FILE_BACKEND else LOGIN_TYPES)))
    _check_word("networkPolicy", new_workspace.network_policy, POLICIES)
    _check_word("useCase", new_workspace.use_case, ("", *USE_CASES))


def _check_word(field: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        words = ", ".join(word for word in allowed if word)
        raise InvalidWorkspace(f'`{field}` is "{value}", which is not known; use one of {words}.')
