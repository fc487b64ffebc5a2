"""Metastore's reactions to events of other services."""

from __future__ import annotations

from penstock.foundation.database import Transaction
from penstock.foundation.events import on
from penstock.services.management.interface import ProjectMoved
from penstock.services.metastore import store
from penstock.services.storage.interface import BranchDeleted


def remove_documents(tx: Transaction, event: BranchDeleted) -> None:
    """Branch ids are not reused, so nobody looks for its documents again."""
    store.remove_of_branch(tx, event.project_id, event.branch_id)


def move_documents(tx: Transaction, event: ProjectMoved) -> None:
    """What the project shares, it shares with its new organization."""
    store.move_documents(tx, event.project_id, event.organization_id)


REACTIONS = [
    on(BranchDeleted, remove_documents, name="metastore.removeDocuments"),
    on(ProjectMoved, move_documents, name="metastore.moveDocuments"),
]
