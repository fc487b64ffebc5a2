"""What the stack has to know of Query."""

from __future__ import annotations

from pathlib import Path

from penstock.services.query.errors import with_exception
from penstock.services.query.execution.lost_jobs import maintain
from penstock.services.query.routes import routes
from penstock.services.storage.interface import authenticate
from penstock.web.auth.storage_token import storage_token
from penstock.web.service import Service


def service() -> Service:
    return Service(
        id="query",
        name="Query API",
        routes=routes(),
        auth=storage_token(authenticate),
        errors=with_exception,
        maintenance=[maintain],
        migrations=Path(__file__).parent / "migrations",
    )
