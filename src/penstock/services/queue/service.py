"""What the stack has to know of Queue."""

from __future__ import annotations

from pathlib import Path

from penstock.foundation.jobs.background import WorkerContext
from penstock.foundation.stacks import QUEUE
from penstock.services.queue import reactions
from penstock.services.queue.operations.totals import add_up_hours
from penstock.services.queue.reports import notifications
from penstock.services.queue.reports.long_jobs import LongJobs
from penstock.services.queue.routes import routes
from penstock.services.queue.triggers import reactions as triggers
from penstock.services.queue.triggers.worker import TriggerWorker, maintain
from penstock.services.queue.worker import Worker, launchers_of
from penstock.services.storage.interface import authenticate
from penstock.web.auth.storage_token import storage_token
from penstock.web.errors import with_status_code
from penstock.web.service import Service


def service() -> Service:
    return Service(
        id=QUEUE,
        name="Queue API",
        routes=routes(),
        auth=storage_token(authenticate),
        errors=with_status_code,
        workers=[
            make_worker,
            lambda context: TriggerWorker(context.stack, context.name),
            lambda context: LongJobs(context.stack),
        ],
        reactions=[*notifications.REACTIONS, *triggers.REACTIONS, *reactions.REACTIONS],
        maintenance=[maintain, add_up_hours],
        migrations=Path(__file__).parent / "migrations",
    )


def make_worker(context: WorkerContext) -> Worker:
    return Worker(context.stack, context.name, launchers_of(context.stack), context.find_storage_url)
