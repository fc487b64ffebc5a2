"""Queue's reactions to what happens to projects."""

from __future__ import annotations

from penstock.foundation.database import Transaction
from penstock.foundation.events import on
from penstock.services.management.interface import ProjectDeleted
from penstock.services.queue.flows.stopping import stop_job
from penstock.services.queue.store import children


def terminate_jobs(tx: Transaction, event: ProjectDeleted) -> None:
    """Terminate all jobs: those that wait end immediately; those that run are stopped by their workers."""
    for job in children.list_unfinished_roots(tx, event.project_id):
        stop_job(tx, job)


REACTIONS = [on(ProjectDeleted, terminate_jobs, name="queue.terminateJobsOfProject")]
