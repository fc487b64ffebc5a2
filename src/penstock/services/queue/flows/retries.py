"""A job that is retried: one child for each attempt, and the result of the last one is that of the whole."""

from __future__ import annotations

from datetime import timedelta

import msgspec

from penstock.foundation import clock
from penstock.services.queue.flows.errors import NothingToRetry
from penstock.services.queue.flows.tasks import Retry
from penstock.services.queue.flows.work import FlowResult, Work, read_message
from penstock.services.queue.models.jobs import JobRow
from penstock.services.queue.models.requests import JobRequest
from penstock.services.queue.models.statuses import Status
from penstock.services.queue.operations.creation import JobPlacement


class Attempts(msgspec.Struct, frozen=True):
    retry: Retry


def begin(work: Work) -> FlowResult | None:
    if work.job.progress is None:
        raise NothingToRetry
    work.create_child(_to_request(work.job), JobPlacement())
    return None


def advance(work: Work) -> FlowResult | None:
    attempts, retry = work.list_children(), work.read_progress(Attempts).retry
    last = attempts[-1]
    if not last.is_finished:
        return None
    message = read_message(last)
    if last.status is not Status.ERROR or not retry.wants(len(attempts), message):
        return FlowResult(status=_to_status(last), message=message, result=last.result)
    delay = retry.strategy_params.delay
    work.add_event("warn", f"Attempt {len(attempts)} failed, the next one begins in {delay} seconds: {message}")
    start_time = clock.now() + timedelta(seconds=delay) if delay else None
    work.create_child(msgspec.structs.replace(_to_request(work.job), delayed_start_time=start_time), JobPlacement())
    return None


def _to_status(last: JobRow) -> Status:
    """A flow that runs cannot be cancelled, only terminated."""
    return Status.TERMINATED if last.status is Status.CANCELLED else last.status


def _to_request(job: JobRow) -> JobRequest:
    """The attempt is the same request without its delay."""
    return JobRequest(
        component=job.component,
        config=job.config,
        config_data=msgspec.json.decode(job.config_data) if job.config_data is not None else None,
        config_row_ids=job.config_row_ids,
        mode=job.mode,
        tag=job.tag,
        variable_values_id=job.variable_values_id,
        variable_values=job.variable_values_data.get("values", []),
        backend=job.backend,
        executor=job.executor,
        parallelism=job.parallelism,
        orchestration_job_id=job.orchestration_job_id,
        orchestration_task_id=job.orchestration_task_id,
        orchestration_phase_id=job.orchestration_phase_id,
    )
