"""What the stack has to know of Management."""

from __future__ import annotations

from pathlib import Path

from penstock.foundation.stacks import STORAGE
from penstock.services.management.operations.standing import check_object
from penstock.services.management.ports import Logins, Storage
from penstock.services.management.routes import routes
from penstock.web.auth.manage_token import manage_token
from penstock.web.service import Service


def service(storage: Storage, logins: Logins) -> Service:
    """What Storage and Login do for it: they are above, so they are not imported."""
    return Service(
        id="management",
        name="Management API",
        routes=routes(storage, logins),
        auth=manage_token(logins.authenticate_manager, check_object),
        also_below={
            STORAGE: ("/manage", "/v1/auth", "/admin/auth", "/oauth", "/.well-known/oauth-authorization-server")
        },
        errors_below=logins.errors_below,
        migrations=Path(__file__).parent / "migrations",
    )
