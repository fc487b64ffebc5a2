"""The broker's reactions to events of other services."""

from __future__ import annotations

from penstock.foundation.database import Transaction
from penstock.foundation.events import on
from penstock.services.oauth.operations.auditing import record_deleted_with_branch
from penstock.services.oauth.store import authorizations, credentials
from penstock.services.storage.interface import BranchDeleted


def remove_credentials(tx: Transaction, event: BranchDeleted) -> None:
    """Branch ids are not reused, so nothing can use them again."""
    gone = credentials.list_credentials(tx, event.project_id, branch_id=event.branch_id)
    credentials.remove_of_branch(tx, event.project_id, event.branch_id)
    record_deleted_with_branch(tx, gone)
    authorizations.remove_of_branch(tx, event.project_id, event.branch_id)


REACTIONS = [on(BranchDeleted, remove_credentials, name="oauth.removeCredentials")]
