"""Logins of programs that connect to a workspace with its user and its password."""

from __future__ import annotations

import msgspec

from penstock.foundation import ids
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.errors import RoleNotEnough
from penstock.services.management import interface as management
from penstock.services.storage.errors.workspaces import HolderGone, LoginFailed
from penstock.services.storage.models.workspaces import USER, WorkspaceRow
from penstock.services.storage.operations.authentication import get_caller
from penstock.services.storage.operations.holders import has_holder
from penstock.services.storage.operations.workspaces.secrets import is_password
from penstock.services.storage.store import workspaces


def log_in(tx: Transaction, user: str, password: str) -> tuple[Caller, WorkspaceRow]:
    """The workspace, and the token that created it, with whose rights programs read tables of the project. Raises if
    that token, or the one that was told the password, was revoked or has expired, or if its member or its project may
    not be used."""
    number = ids.read_id(user.upper().removeprefix(USER))
    row = workspaces.find_any_workspace(tx, number) if number is not None else None
    if not row or row.is_of_files or not is_password(password, row.password_hash) or row.user != user.upper():
        raise LoginFailed
    if not has_holder(tx, row):
        raise HolderGone
    if row.holder_id:
        get_caller(tx, row.project_id, row.holder_id)
    creator = get_caller(tx, row.project_id, row.creator_id)
    if creator.only_reads and not row.is_read_only:
        raise RoleNotEnough(creator.role, "may not use a workspace that writes")
    if creator.user_id:
        management.require_second_factor(tx, row.project_id, creator.user_id)
    return msgspec.structs.replace(creator, branch_id=row.branch_id), row
