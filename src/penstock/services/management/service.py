"""What the stack has to know of Management."""

from __future__ import annotations

from pathlib import Path

from penstock.foundation.stacks import STORAGE
from penstock.services.management.login.maintenance import remove_expired
from penstock.services.management.login.routes import ERRORS_BELOW
from penstock.services.management.manage_tokens import authenticate_manager
from penstock.services.management.operations.standing import check_object
from penstock.services.management.ports import Storage
from penstock.services.management.routes import routes
from penstock.web.auth.manage_token import manage_token
from penstock.web.service import Service


def service(storage: Storage) -> Service:
    """`storage` is what Storage does for it: it is above, so it is not imported."""
    return Service(
        id="management",
        name="Management API",
        routes=routes(storage),
        auth=manage_token(authenticate_manager, check_object),
        also_below={
            STORAGE: ("/manage", "/v1/auth", "/admin/auth", "/oauth", "/.well-known/oauth-authorization-server")
        },
        errors_below=ERRORS_BELOW,
        maintenance=[remove_expired],
        migrations=Path(__file__).parent / "migrations",
    )
