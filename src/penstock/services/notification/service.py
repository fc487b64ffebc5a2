"""What the stack has to know of Notification."""

from __future__ import annotations

from pathlib import Path

from penstock.foundation.jobs.background import WorkerContext
from penstock.services.notification.maintenance import maintain
from penstock.services.notification.operations.secrets import opens_secrets
from penstock.services.notification.reactions import REACTIONS
from penstock.services.notification.routes import PUSH_EVENTS, SEND_NOTIFICATIONS, routes
from penstock.services.notification.worker import Worker
from penstock.services.storage.interface import authenticate
from penstock.web.auth.storage_token import storage_token
from penstock.web.errors import with_status_code
from penstock.web.service import Service


def service() -> Service:
    return Service(
        id="notification",
        name="Notification API",
        routes=routes(),
        rights=[PUSH_EVENTS, SEND_NOTIFICATIONS],
        auth=storage_token(authenticate),
        errors=with_status_code,
        # Two, so that a receiver that does not respond does not hold up all others.
        workers=[make_worker, make_worker],
        reactions=REACTIONS,
        maintenance=[maintain],
        migrations=Path(__file__).parent / "migrations",
        opens_secrets=opens_secrets,
    )


def make_worker(context: WorkerContext) -> Worker:
    return Worker(context.stack, context.name)
