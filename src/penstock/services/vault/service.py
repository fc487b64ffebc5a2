"""What the stack has to know of Vault."""

from __future__ import annotations

from penstock.foundation.database import Transaction
from penstock.foundation.events import on
from penstock.services.storage.interface import BranchDeleted, authenticate
from penstock.services.vault import store
from penstock.services.vault.operations import opens_secrets
from penstock.services.vault.routes import routes
from penstock.web.auth.storage_token import storage_token
from penstock.web.errors import with_status_code
from penstock.web.service import Service


def service() -> Service:
    return Service(
        id="vault",
        name="Vault API",
        routes=routes(),
        auth=storage_token(authenticate),
        errors=with_status_code,
        reactions=REACTIONS,
        opens_secrets=opens_secrets,
    )


def remove_variables(tx: Transaction, event: BranchDeleted) -> None:
    """Branch ids are not reused, so its variables can never be read again."""
    store.remove_of_branch(tx, event.project_id, event.branch_id)


REACTIONS = [on(BranchDeleted, remove_variables, name="vault.removeVariables")]
