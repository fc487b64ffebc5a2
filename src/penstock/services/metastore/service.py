"""What the stack has to know of Metastore."""

from __future__ import annotations

from pathlib import Path

from penstock.services.metastore.maintenance import maintain
from penstock.services.metastore.reactions import REACTIONS
from penstock.services.metastore.routes import routes
from penstock.services.storage.interface import authenticate
from penstock.web.auth.storage_token import storage_token
from penstock.web.errors import with_status_code
from penstock.web.service import Service


def service() -> Service:
    return Service(
        id="metastore",
        name="Metastore API",
        routes=routes(),
        auth=storage_token(authenticate),
        errors=with_status_code,
        is_listed=False,  # clients derive its host from that of Storage
        maintenance=[maintain],
        reactions=REACTIONS,
        migrations=Path(__file__).parent / "migrations",
    )
