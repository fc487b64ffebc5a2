"""A task of a flow as a job: how it is created, and how it has ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from penstock.components.catalogue import find_component
from penstock.foundation import clock
from penstock.foundation.database import Transaction
from penstock.foundation.errors import AppError, Unavailable
from penstock.services.queue.flows.errors import TokenGone
from penstock.services.queue.flows.retries import Attempts
from penstock.services.queue.flows.tasks import JobTask, Retry, TaskRun
from penstock.services.queue.flows.variables import find_values
from penstock.services.queue.flows.work import Work
from penstock.services.queue.models.jobs import JobRow, Kind
from penstock.services.queue.models.parsing import parse_job
from penstock.services.queue.models.requests import NewJob
from penstock.services.queue.models.statuses import Status
from penstock.services.queue.operations.creation import JobPlacement
from penstock.services.queue.store import children
from penstock.services.queue.store.children import EndedChild, RanJob

TASKS_AT_ONCE, TASKS_PER_TRANSACTION = 100, 50
"""Creating thousands of jobs in one transaction would block other writers. There are fewer workers than this, so none
of them is idle because a task is not a job yet."""


class Start(msgspec.Struct, frozen=True, kw_only=True):
    """A task whose turn has come."""

    task_id: str
    phase_id: str
    wanted: JobTask
    flow: JobRow
    """The job of the whole flow; options of its request override those of the task."""
    hosts: str
    """What the secrets in the flow's configuration are meant for."""
    variables: dict[str, str] = {}
    """What the flow has set so far."""
    retry: Retry | None = None
    is_tolerated: bool = False


def count_free(runs: Sequence[TaskRun]) -> int:
    """How many tasks may be started now, in one transaction: none until half of those that were started have ended."""
    running = sum(run.job_id is not None and not run.status for run in runs)
    return min(TASKS_PER_TRANSACTION, TASKS_AT_ONCE - running) if running <= TASKS_AT_ONCE // 2 else 0


def has_turn(work: Work) -> bool:
    """Whether few enough jobs are unfinished to start others. Checked first: the progress of a large flow is too large
    to be read whenever one of its tasks ends."""
    return not children.has_more_unfinished(work.tx, work.job, TASKS_AT_ONCE // 2)


def is_waiting(run: TaskRun) -> bool:
    """Whether the task has not been started."""
    return run.job_id is None and not run.status


def start_task(work: Work, start: Start) -> TaskRun:
    """Create the job of a task. If that is not possible the task has failed; the others continue."""
    now = clock.now()
    try:
        job = _create(work, start)
    except (TokenGone, Unavailable):
        raise
    except AppError as error:
        work.count_try()
        work.add_event("error", f'Task "{start.task_id}" could not be started: {error.message}')
        return TaskRun(id=start.task_id, status=Status.ERROR, message=error.message, start_time=now, end_time=now)
    return TaskRun(id=start.task_id, job_id=job.id, start_time=now)


def reuse(work: Work, runs: list[TaskRun], reused: Mapping[str, int]) -> list[TaskRun]:
    """The same tasks; those that need not run again have ended as the jobs that did them. All are read together."""
    wanted = {run.id: reused[run.id] for run in runs if is_waiting(run) and run.id in reused}
    if not wanted:
        return runs
    done = {job.id: job for job in children.find_ran(work.tx, work.job.project_id, list(wanted.values()))}
    return [with_job(run, done[wanted[run.id]]) if wanted.get(run.id) in done else run for run in runs]


def settle(tx: Transaction, job: JobRow, runs: list[TaskRun]) -> list[TaskRun]:
    """The same tasks of a job, with how they ended where they have."""
    running = [run.job_id for run in runs if run.job_id is not None and not run.status]
    if not running:
        return runs
    ended = {child.id: child for child in children.list_ended(tx, job, min(running))}
    return [run if run.status or run.job_id not in ended else with_job(run, ended[run.job_id]) for run in runs]


def with_job(run: TaskRun, job: EndedChild | RanJob) -> TaskRun:
    return msgspec.structs.replace(
        run, status=job.status, job_id=job.id, start_time=job.start_time or run.start_time, end_time=job.end_time
    )


def _create(work: Work, start: Start) -> JobRow:
    request = parse_job(to_request(work, start))
    if not start.retry:
        return work.create_child(request, JobPlacement())
    # Its attempts take the lock of their configuration, so the retrying job itself must not hold it.
    progress = msgspec.json.encode(Attempts(start.retry))
    return work.create_child(request, JobPlacement(type=Kind.RETRY, has_lock=False, progress=progress))


def to_request(work: Work, start: Start) -> NewJob:
    flow, values = start.flow, work.open_secrets(start.wanted.variable_values_data, start.hosts)
    wanted = msgspec.structs.replace(start.wanted, variable_values_data=values)
    values_id, values = find_values(work, wanted, flow, start.variables)
    on_error = "warning" if start.is_tolerated else wanted.behavior.get("onError")
    return NewJob(
        component=wanted.component_id,
        config=wanted.config_id,
        config_data=work.open_secrets(wanted.config_data, start.hosts) if wanted.config_data is not None else None,
        config_row_ids=[str(row_id) for row_id in wanted.config_row_ids] or None,
        mode=wanted.mode,
        tag=_find_tag(flow) or wanted.tag,
        variable_values_id=values_id,
        variable_values_data=values,
        backend=_merge_backends(wanted.backend, flow.backend),
        executor=flow.executor or wanted.executor,
        parallelism=wanted.parallelism,
        behavior={"onError": on_error} if on_error else None,
        delay=wanted.delay,
        orchestration_job_id=str(flow.id),
        orchestration_task_id=start.task_id,
        orchestration_phase_id=start.phase_id,
    )


def _find_tag(flow: JobRow) -> str | None:
    """The tag that the request of the flow names; without one, the job has the tag of its component."""
    component = find_component(flow.component)
    return flow.tag if component and flow.tag != component.tag else None


def _merge_backends(task: dict[str, Any] | str, flow: dict[str, Any]) -> dict[str, Any] | None:
    own = {"type": task} if isinstance(task, str) else task
    return {**own, **{name: value for name, value in flow.items() if value}} or None
