"""What the stack has to know of AI."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from penstock.foundation import clock
from penstock.foundation.stack import Stack
from penstock.services.ai import store
from penstock.services.ai.routes import routes
from penstock.services.storage.interface import authenticate
from penstock.web.auth.storage_token import storage_token
from penstock.web.errors import with_status_code
from penstock.web.service import Service

KEPT = timedelta(days=180)


def service() -> Service:
    return Service(
        id="ai",
        name="AI API",
        routes=routes(),
        auth=storage_token(authenticate),
        errors=with_status_code,
        maintenance=[maintain],
        migrations=Path(__file__).parent / "migrations",
    )


def maintain(stack: Stack) -> None:
    with stack.database.writing() as tx:
        store.remove_older(tx, clock.now() - KEPT)
