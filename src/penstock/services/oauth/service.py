"""What the stack has to know of the broker."""

from __future__ import annotations

from pathlib import Path

from penstock.services.oauth.errors import with_message
from penstock.services.oauth.operations.authorizing import remove_expired
from penstock.services.oauth.operations.credentials import opens_secrets
from penstock.services.oauth.operations.refreshing import recover
from penstock.services.oauth.reactions import REACTIONS
from penstock.services.oauth.routes import routes
from penstock.services.oauth.routes.consumers import MANAGE_OAUTH
from penstock.services.storage.interface import authenticate
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
