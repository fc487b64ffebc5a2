"""What the stack has to know of Importer."""

from __future__ import annotations

from penstock.services.importer.errors import explain_missing_token, with_message
from penstock.services.importer.routes import routes
from penstock.services.storage.interface import authenticate
from penstock.web.auth.storage_token import storage_token
from penstock.web.service import Service


def service() -> Service:
    return Service(
        id="import",
        name="Importer API",
        routes=routes(),
        auth=storage_token(authenticate, explain_missing_token),
        errors=with_message,
    )
