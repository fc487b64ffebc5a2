"""What the stack has to know of Sandboxes."""

from __future__ import annotations

from penstock.services.sandboxes.errors import with_message
from penstock.services.sandboxes.routes import routes
from penstock.services.storage.interface import authenticate
from penstock.web.auth.storage_token import storage_token
from penstock.web.service import Service


def service() -> Service:
    return Service(
        id="data-science",
        name="Sandboxes API",
        routes=routes(),
        auth=storage_token(authenticate),
        errors=with_message,
    )
