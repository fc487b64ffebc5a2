"""The rows of a configuration side by side: a child for each of them, so many at once as the job's parallelism says."""

from __future__ import annotations

import sys

import msgspec

from penstock.services.queue.containers.stopping import cancel_waiting
from penstock.services.queue.containers.work import Ended, Work, ended, read_message
from penstock.services.queue.execution.documents import choose_rows
from penstock.services.queue.flows.endings import FAILED, Ending, judge
from penstock.services.queue.models.jobs import JobRow, Kind
from penstock.services.queue.models.requests import NewJob
from penstock.services.queue.models.statuses import Status
from penstock.services.queue.operations.creation import Place
from penstock.services.queue.store import children
from penstock.services.storage import interface as storage

DONE, NOTHING = "Component processing finished.", "No configurations executed."


class Plan(msgspec.Struct, frozen=True):
    version: int
    rows: list[str]
    """In the order of the children."""


def begin(work: Work) -> Ended | None:
    stored = storage.read_configuration(work.tx, work.caller, work.job.component, work.job.config or "")
    chosen = [row.id for row in choose_rows(stored.rows, work.job.config_row_ids)]
    if not chosen:
        return ended(Status.SUCCESS, NOTHING, config_version=str(stored.version))
    work.remember(Plan(stored.version, chosen))
    for number, row_id in enumerate(chosen):
        is_held = number >= _limit(work.job)
        place = Place(type=Kind.STANDARD, is_held=is_held, has_lock=False, stored=stored)
        work.create_child(_to_request(work.job, row_id), place)
    return None


def advance(work: Work) -> Ended | None:
    """There may be thousands of children, so that all of them are read only at the end."""
    tx, job = work.tx, work.job
    if children.has_child(tx, job, FAILED, on_error="stop"):
        cancel_waiting(tx, job)
    if not children.count_unfinished(tx, job):
        return _conclude(work.recall(Plan), work.list_children())
    free = _limit(job) - children.count_released(tx, job)
    for child in children.list_held(tx, job, max(0, free)):
        work.release(child)
    return None


def _limit(job: JobRow) -> int:
    if job.parallelism == "infinity":
        return sys.maxsize
    text = job.parallelism or ""
    return max(1, int(text)) if text.isdecimal() else 1


def _to_request(job: JobRow, row_id: str) -> NewJob:
    """What was resolved for the whole is given to each part."""
    return NewJob(
        component=job.component,
        config=job.config,
        config_row_ids=[row_id],
        mode=job.mode,
        tag=job.tag,
        variable_values_id=None if job.variable_values_data.get("values") else job.variable_values_id,
        variable_values_data=job.variable_values_data or None,
        backend=job.backend or None,
        executor=job.executor,
        behavior={"onError": job.on_error} if job.on_error else None,
        orchestration_job_id=job.orchestration_job_id,
    )


def _ending(child: JobRow) -> Ending:
    return Ending(child.status, is_tolerated=child.on_error == "warning")


def _conclude(plan: Plan, parts: list[JobRow]) -> Ended:
    status = judge(_ending(child) for child in parts)
    failed = [
        f'Row "{row_id}" (job {child.id}): {read_message(child)}'
        for row_id, child in zip(plan.rows, parts, strict=True)
        if _ending(child).is_failed
    ]
    return ended(status, "\n".join(failed) or DONE, config_version=str(plan.version))
