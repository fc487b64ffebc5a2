"""Who was told the password or the connection string of a workspace: they are valid as long as this token is.

Otherwise a program that is let out again, or a member who leaves, could go on with them.
"""

from __future__ import annotations

from typing import Any

from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.services.login.interface import is_signed_in
from penstock.services.storage.models.workspaces import WorkspaceRow


def hold(caller: Caller) -> dict[str, Any]:
    """The columns of a workspace whose secrets this caller gets."""
    return {
        "holder_id": caller.token_id,
        "holder_sign_in_id": caller.sign_in_id if caller.ends_with_sign_in else 0,
    }


def has_holder(tx: Transaction, row: WorkspaceRow) -> bool:
    """Whether the personal access token, or the program, is still valid that the secrets end with."""
    return not row.holder_sign_in_id or is_signed_in(tx, row.holder_sign_in_id)
