"""What the stack has to know of Queue."""

from __future__ import annotations

from pathlib import Path

from penstock.foundation.database import Transaction
from penstock.foundation.events import on
from penstock.foundation.jobs.background import WorkerContext
from penstock.foundation.stacks import QUEUE
from penstock.services.management.interface import ProjectDeleted
from penstock.services.queue.flows.stopping import stop_job
from penstock.services.queue.operations.totals import add_up_hours
from penstock.services.queue.reports import notifications
from penstock.services.queue.reports.long_jobs import LongJobs
from penstock.services.queue.routes import routes
from penstock.services.queue.store import children
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
        reactions=[
            *notifications.REACTIONS,
            *triggers.REACTIONS,
            on(ProjectDeleted, terminate_jobs, name="queue.terminateJobsOfProject"),
        ],
        maintenance=[maintain, add_up_hours],
        migrations=Path(__file__).parent / "migrations",
    )


def make_worker(context: WorkerContext) -> Worker:
    return Worker(context.stack, context.name, launchers_of(context.stack), context.find_storage_url)


def terminate_jobs(tx: Transaction, event: ProjectDeleted) -> None:
    """Terminate all jobs: those that wait end immediately; those that run are stopped by their workers."""
    for job in children.list_unfinished_roots(tx, event.project_id):
        stop_job(tx, job)
