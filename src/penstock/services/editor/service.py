"""What the stack has to know of Editor."""

from __future__ import annotations

from pathlib import Path

from penstock.foundation.database import Transaction
from penstock.foundation.events import on
from penstock.services.editor import store
from penstock.services.editor.errors import with_message
from penstock.services.editor.routes import routes
from penstock.services.storage.interface import BranchDeleted, authenticate
from penstock.web.auth.storage_token import storage_token
from penstock.web.service import Service


def service() -> Service:
    return Service(
        id="editor",
        name="Editor API",
        routes=routes(),
        auth=storage_token(authenticate),
        errors=with_message,
        reactions=REACTIONS,
        migrations=Path(__file__).parent / "migrations",
    )


def remove_sessions(tx: Transaction, event: BranchDeleted) -> None:
    """Remove sessions; their workspaces are deleted with the branch."""
    store.remove_of_branch(tx, event.project_id, event.branch_id)


REACTIONS = [on(BranchDeleted, remove_sessions, name="editor.removeSessions")]
