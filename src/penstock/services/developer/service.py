"""What the stack has to know of Developer."""

from __future__ import annotations

from pathlib import Path

from penstock.services.developer import programs
from penstock.services.developer.errors import with_error_type
from penstock.services.developer.operations import publishing
from penstock.services.developer.routes import routes
from penstock.web.service import Service


def service() -> Service:
    return Service(
        id="developer",
        name="Developer API",
        routes=routes(),
        errors=with_error_type,
        maintenance=[publishing.maintain, programs.maintain],
        migrations=Path(__file__).parent / "migrations",
    )
