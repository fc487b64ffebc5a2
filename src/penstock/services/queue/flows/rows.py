"""The rows of a configuration in parallel: a child for each row, as many at a time as the job's parallelism allows."""

from __future__ import annotations

import sys

import msgspec

from penstock.foundation.errors import AppError, Unavailable
from penstock.services.queue.execution.documents import choose_rows
from penstock.services.queue.flows.errors import TokenGone
from penstock.services.queue.flows.outcomes import FAILED, Outcome, overall_status
from penstock.services.queue.flows.stopping import cancel_waiting
from penstock.services.queue.flows.task_jobs import TASKS_AT_ONCE, TASKS_PER_TRANSACTION, has_turn
from penstock.services.queue.flows.work import FlowResult, Work, read_message
from penstock.services.queue.models.jobs import JobRow, Kind
from penstock.services.queue.models.requests import JobRequest
from penstock.services.queue.models.statuses import Status
from penstock.services.queue.operations.creation import JobPlacement
from penstock.services.queue.store import children
from penstock.services.storage import interface as storage

DONE, NOTHING = "Component processing finished.", "No configurations executed."


class Plan(msgspec.Struct, frozen=True):
    version: int
    rows: list[str]
    """In the order of the children."""
    made: int | None = None
    """How many rows were tried; None in jobs of earlier versions, which tried all at once."""
    failed: dict[str, str] = {}
    """Rows that could not become jobs, and why."""

    @property
    def has_more(self) -> bool:
        return self.made is not None and self.made < len(self.rows)


def begin(work: Work) -> FlowResult | None:
    if work.job.progress is not None:  # an earlier transaction has tried some of them
        return _conclude_or_wait(work, _create_some(work, work.read_progress(Plan), work.read_stored()))
    stored = storage.read_configuration(work.tx, work.caller, work.job.component, work.job.config or "")
    chosen = [row.id for row in choose_rows(stored.rows, work.job.config_row_ids)]
    if not chosen:
        return work.make_result(Status.SUCCESS, NOTHING, config_version=str(stored.version))
    return _conclude_or_wait(work, _create_some(work, Plan(stored.version, chosen, 0), stored))


def advance(work: Work) -> FlowResult | None:
    """There may be thousands of children, so all of them are read only at the end."""
    tx, job = work.tx, work.job
    is_stopping = children.has_child(tx, job, FAILED, on_error="stop")
    if is_stopping:
        cancel_waiting(tx, job)
    free = _limit(job) - children.count_released(tx, job)
    for child in children.list_held(tx, job, max(0, free)):
        work.release(child)
    if not is_stopping and has_turn(work):
        plan = work.read_progress(Plan)
        if plan.has_more:
            return _conclude_or_wait(work, _create_some(work, plan, work.read_stored()))
    return None if children.count_unfinished(tx, job) else _conclude(work, work.read_progress(Plan))


def _conclude_or_wait(work: Work, plan: Plan) -> FlowResult | None:
    if plan.has_more and not work.may_try:
        work.continue_later()
        return None
    return None if children.count_unfinished(work.tx, work.job) else _conclude(work, plan)


def _create_some(work: Work, plan: Plan, stored: storage.Configuration | None) -> Plan:
    """Create jobs of the next rows, a few per transaction; a row that cannot become a job has failed."""
    unfinished, released = children.count_unfinished(work.tx, work.job), children.count_released(work.tx, work.job)
    free, made, failed = min(TASKS_PER_TRANSACTION, TASKS_AT_ONCE - unfinished), plan.made or 0, dict(plan.failed)
    for row_id in plan.rows[made:]:
        if not free or not work.may_try:
            break
        made += 1
        problem = _try_row(work, row_id, stored, is_held=released >= _limit(work.job))
        if problem is None:
            free, released = free - 1, released + 1
            continue
        failed[row_id] = problem
        if work.job.on_error == "stop":
            cancel_waiting(work.tx, work.job)
            # The remaining rows are not tried.
            plan = msgspec.structs.replace(plan, rows=plan.rows[:made])
            break
    plan = msgspec.structs.replace(plan, made=made, failed=failed)
    work.save_progress(plan)
    return plan


def _try_row(work: Work, row_id: str, stored: storage.Configuration | None, *, is_held: bool) -> str | None:
    """Create the job of a row; returns the error if that is not possible."""
    place = JobPlacement(type=Kind.STANDARD, is_held=is_held, has_lock=False, stored=stored)
    try:
        work.create_child(_to_request(work.job, row_id), place)
    except (TokenGone, Unavailable):
        raise
    except AppError as error:
        work.count_try()
        return error.message
    return None


def _limit(job: JobRow) -> int:
    if job.parallelism == "infinity":
        return sys.maxsize
    text = job.parallelism or ""
    return max(1, int(text)) if text.isdecimal() else 1


def _to_request(job: JobRow, row_id: str) -> JobRequest:
    """Each row gets what was resolved for the whole job."""
    return JobRequest(
        component=job.component,
        config=job.config,
        config_row_ids=[row_id],
        mode=job.mode,
        tag=job.tag,
        variable_values_id=job.variable_values_id,
        variable_values=job.variable_values_data.get("values", []),
        backend=job.backend,
        executor=job.executor,
        on_error=job.on_error,
        orchestration_job_id=job.orchestration_job_id,
    )


def _conclude(work: Work, plan: Plan) -> FlowResult:
    parts = children.list_ran(work.tx, work.job)
    outcomes = [Outcome(part.status, is_tolerated=part.on_error == "warning") for part in parts]
    refused = [Outcome(Status.ERROR, is_tolerated=work.job.on_error == "warning") for _ in plan.failed]
    made = [row_id for row_id in plan.rows if row_id not in plan.failed]
    # Fewer than the rows if the first failure stopped the others.
    failed = [
        f'Row "{row_id}" (job {part.id}): {read_message(part)}'
        for row_id, part, outcome in zip(made, parts, outcomes, strict=False)
        if outcome.is_failed
    ]
    failed += [f'Row "{row_id}" could not be started: {message}' for row_id, message in plan.failed.items()]
    return work.make_result(
        overall_status([*outcomes, *refused]), "\n".join(failed) or DONE, config_version=str(plan.version)
    )
