"""What the stack has to know of Developer."""

from __future__ import annotations

from pathlib import Path

from penstock.services.developer import programs
from penstock.services.developer.errors import with_error_type
from penstock.services.developer.operations import publishing
from penstock.services.developer.operations.logins import MANAGE_APPS
from penstock.services.developer.registry import maintenance
from penstock.services.developer.registry.errors import to_oci
from penstock.services.developer.registry.routes import routes as registry_routes
from penstock.services.developer.registry.routes.rows import AT_ROOT, PATH
from penstock.services.developer.routes import routes
from penstock.web.service import Service


def service() -> Service:
    return Service(
        id="developer",
        name="Developer API",
        routes=[*routes(), *registry_routes()],
        rights=[MANAGE_APPS],
        errors=with_error_type,
        at_root=AT_ROOT,
        errors_below={PATH: to_oci},
        maintenance=[publishing.maintain, programs.maintain, maintenance.maintain],
        migrations=Path(__file__).parent / "migrations",
    )
