"""What the stack has to know of sync actions."""

from __future__ import annotations

from penstock.services.storage.interface import authenticate
from penstock.services.sync_actions.errors import with_message
from penstock.services.sync_actions.routes import routes
from penstock.services.sync_actions.running import remove_forgotten
from penstock.web.auth.storage_token import storage_token
from penstock.web.service import Service


def service() -> Service:
    return Service(
        id="sync-actions",
        name="Sync actions API",
        routes=routes(),
        auth=storage_token(authenticate),
        errors=with_message,
        maintenance=[remove_forgotten],
    )
