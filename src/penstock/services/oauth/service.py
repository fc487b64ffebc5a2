"""What the stack has to know of the broker."""

from __future__ import annotations

from pathlib import Path

from penstock.foundation.database import Transaction
from penstock.foundation.events import on
from penstock.services.oauth.errors import with_message
from penstock.services.oauth.operations.auditing import record_deleted_with_branch
from penstock.services.oauth.operations.authorizing import remove_expired
from penstock.services.oauth.operations.credentials import opens_secrets
from penstock.services.oauth.operations.refreshing import recover
from penstock.services.oauth.routes import routes
from penstock.services.oauth.routes.consumers import MANAGE_OAUTH
from penstock.services.oauth.store import authorizations, credentials
from penstock.services.storage.interface import BranchDeleted, authenticate
from penstock.web.auth.storage_token import storage_token
from penstock.web.service import Service


def service() -> Service:
    return Service(
        id="oauth",
        name="OAuth Broker API",
        routes=routes(),
        rights=[MANAGE_OAUTH],
        auth=storage_token(authenticate),
        errors=with_message,
        reactions=REACTIONS,
        maintenance=[remove_expired, recover],
        migrations=Path(__file__).parent / "migrations",
        opens_secrets=opens_secrets,
    )


def remove_credentials(tx: Transaction, event: BranchDeleted) -> None:
    """Branch ids are not reused, so nothing can use them again."""
    gone = credentials.list_credentials(tx, event.project_id, branch_id=event.branch_id)
    credentials.remove_of_branch(tx, event.project_id, event.branch_id)
    record_deleted_with_branch(tx, gone)
    authorizations.remove_of_branch(tx, event.project_id, event.branch_id)


REACTIONS = [on(BranchDeleted, remove_credentials, name="oauth.removeCredentials")]
