"""What the stack has to know of Encryption."""

from __future__ import annotations

from pathlib import Path

from penstock.services.encryption.ports import Storage
from penstock.services.encryption.routes import routes
from penstock.web.errors import with_status_code
from penstock.web.service import Service


def service(storage: Storage) -> Service:
    """`storage` is what Storage does for it: it is above, so it is not imported."""
    return Service(
        id="encryption",
        name="Encryption API",
        routes=routes(storage),
        errors=with_status_code,
        migrations=Path(__file__).parent / "migrations",
    )
