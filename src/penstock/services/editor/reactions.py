"""Editor's reactions to events of other services."""

from __future__ import annotations

from penstock.foundation.database import Transaction
from penstock.foundation.events import on
from penstock.services.editor import store
from penstock.services.storage.interface import BranchDeleted


def remove_sessions(tx: Transaction, event: BranchDeleted) -> None:
    """Remove sessions; their workspaces are deleted with the branch."""
    store.remove_of_branch(tx, event.project_id, event.branch_id)


REACTIONS = [on(BranchDeleted, remove_sessions, name="editor.removeSessions")]
