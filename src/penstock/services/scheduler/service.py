"""What the stack has to know of Scheduler."""

from __future__ import annotations

from pathlib import Path

from penstock.services.scheduler.reactions import REACTIONS
from penstock.services.scheduler.routes import routes
from penstock.services.scheduler.worker import Worker
from penstock.services.storage.interface import authenticate
from penstock.web.auth.storage_token import storage_token
from penstock.web.errors import with_status_code
from penstock.web.service import Service


def service() -> Service:
    return Service(
        id="scheduler",
        name="Scheduler API",
        routes=routes(),
        auth=storage_token(authenticate),
        errors=with_status_code,
        workers=[lambda context: Worker(context.stack)],
        reactions=REACTIONS,
        migrations=Path(__file__).parent / "migrations",
    )
