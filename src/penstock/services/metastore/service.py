"""What the stack has to know of Metastore."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from penstock.foundation import clock
from penstock.foundation.database import Transaction
from penstock.foundation.events import on
from penstock.foundation.stack import Stack
from penstock.services.management.interface import ProjectMoved
from penstock.services.metastore import store
from penstock.services.metastore.routes import routes
from penstock.services.storage.interface import BranchDeleted, authenticate
from penstock.web.auth.storage_token import storage_token
from penstock.web.errors import with_status_code
from penstock.web.service import Service

KEPT = timedelta(days=30)


def service() -> Service:
    return Service(
        id="metastore",
        name="Metastore API",
        routes=routes(),
        auth=storage_token(authenticate),
        errors=with_status_code,
        is_listed=False,  # clients derive its host from that of Storage
        maintenance=[maintain],
        reactions=REACTIONS,
        migrations=Path(__file__).parent / "migrations",
    )


def maintain(stack: Stack) -> None:
    with stack.database.writing() as tx:
        store.remove_deleted(tx, clock.now() - KEPT)


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
