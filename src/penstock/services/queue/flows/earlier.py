"""The tasks that a re-run skips: those that succeeded in an earlier job of the same flow."""

from __future__ import annotations

from typing import Any, cast

from penstock.foundation import ids
from penstock.services.queue.flows.errors import NoEarlierJob
from penstock.services.queue.flows.work import Work, read_result
from penstock.services.queue.models.jobs import JobRow
from penstock.services.queue.models.statuses import Status
from penstock.services.queue.operations.plans import find_tasks


def find_reusable(work: Work) -> dict[str, int]:
    """Tasks, and the jobs that ran them."""
    if not work.job.previous_job_id:
        return {}
    earlier = _find_earlier(work, work.job)
    if not earlier:
        raise NoEarlierJob(work.job.previous_job_id)
    return _list_done(work, earlier)


def _find_earlier(work: Work, job: JobRow) -> JobRow | None:
    number = ids.read_id(job.previous_job_id or "")
    # Ids increase, so a chain of earlier jobs cannot be a loop.
    earlier = work.find_job(number) if number is not None and number < job.id else None
    mine = (job.component, job.config, job.branch_id)
    is_mine = earlier and (earlier.component, earlier.config, earlier.branch_id) == mine
    return earlier if earlier and is_mine and earlier.is_finished else None


def _list_done(work: Work, job: JobRow) -> dict[str, int]:
    tasks = cast(list[dict[str, Any]], read_result(job).get("tasks") or [])
    if tasks:
        done = [task for task in tasks if task.get("status") == Status.SUCCESS and task.get("jobId")]
        return {str(task["id"]): int(task["jobId"]) for task in done}
    # It was stopped before it had a result: use its jobs, and the tasks that it skipped itself.
    ran, earlier = find_tasks(work.tx, job), _find_earlier(work, job)
    before = _list_done(work, earlier) if earlier else {}
    kept = {task_id: job_id for task_id, job_id in before.items() if task_id not in ran}
    return kept | {task_id: child.id for task_id, child in ran.items() if child.status is Status.SUCCESS}
