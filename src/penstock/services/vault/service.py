"""What the stack has to know of Vault."""

from __future__ import annotations

from penstock.services.storage.interface import authenticate
from penstock.services.vault.operations import opens_secrets
from penstock.services.vault.reactions import REACTIONS
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
