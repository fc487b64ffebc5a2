"""The key pair and the password of a session's workspace. Secrets are returned once."""

from __future__ import annotations

from typing import Any

from penstock.foundation.callers import Right
from penstock.foundation.stacks import STORAGE
from penstock.services.editor import operations
from penstock.services.editor.errors import NoServiceAccount
from penstock.services.editor.models import Keys, Password
from penstock.services.editor.routes.sessions import ONE
from penstock.services.storage import interface as storage
from penstock.web.requests import Request
from penstock.web.routing import Route, get, post


def routes() -> list[Route]:
    return [
        post(f"{ONE}/reset-credentials", reset_credentials, needs=Right.TOKEN, title="Reset the key pair of a session"),
        get(f"{ONE}/credentials", get_credentials, needs=Right.TOKEN, title="Get the credentials of a session"),
        post(f"{ONE}/reset-password", reset_password, needs=Right.TOKEN, title="Reset the password of a session"),
    ]


def reset_credentials(request: Request, session_id: str) -> Keys:
    """A new key pair of the workspace, as PEM."""
    with request.reading() as tx:
        operations.get_session(tx, request.caller, session_id)
    pair = storage.new_key_pair()
    with request.writing() as tx:
        row = operations.get_session(tx, request.caller, session_id)
        caller = operations.in_branch(request.caller, row.branch_id)
        storage.set_public_key(tx, caller, row.workspace_id, pair.public)
    return Keys(private_key=pair.private, public_key=pair.public)


def get_credentials(request: Request, session_id: str) -> dict[str, Any]:
    """Refused: only BigQuery workspaces have credentials that can be read, and this stack has none."""
    with request.reading() as tx:
        operations.get_session(tx, request.caller, session_id)
    raise NoServiceAccount


def reset_password(request: Request, session_id: str) -> Password:
    """A new password of the workspace."""
    with request.writing() as tx:
        row = operations.get_session(tx, request.caller, session_id)
        caller = operations.in_branch(request.caller, row.branch_id)
        user, password = storage.reset_workspace_password(tx, caller, row.workspace_id)
    return Password(
        username=user,
        password=password,
        host=request.addresses.host_of(STORAGE),
        database=row.workspace_database,
        schema=row.workspace_schema,
        warehouse=storage.WAREHOUSE,
    )
