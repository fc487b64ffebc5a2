"""Fires schedules: creates the job of a slot and records the slot, in one transaction.

A worker may be killed at any point: either the job, the record and the next slot are committed, or nothing is. On
PostgreSQL workers of a project wait for each other, and the one that comes second finds that the slot has run.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import datetime, timedelta

import msgspec

from penstock.foundation import clock, ids
from penstock.foundation.database import Transaction
from penstock.foundation.errors import AppError, Unauthorized, Unavailable
from penstock.foundation.logging import Log
from penstock.foundation.stack import Stack
from penstock.foundation.stacks import QUEUE
from penstock.services.queue import interface as queue
from penstock.services.scheduler import slots, store
from penstock.services.scheduler.cron.timetable import COUNTED
from penstock.services.scheduler.errors import TokenRevoked
from penstock.services.scheduler.models import COMPONENT, RunRow, ScheduleRow
from penstock.services.scheduler.operations import service_caller
from penstock.services.storage import interface as storage

log = Log("scheduler")

AT_ONCE = 100
POSTPONED = timedelta(hours=1)
KEPT = timedelta(days=7)
KEPT_RUNS = 10
"""What GET /schedules shows. Older slots are kept for KEPT, for the case that the clock is set back."""


def fire_all_due(stack: Stack, is_stopping: Callable[[], bool]) -> None:
    """Fire all schedules that are due. The loop ends: after each batch its schedules are no longer due, or their
    projects are skipped."""
    skipped = set[int]()
    while fire_due(stack, skipped) == AT_ONCE and not is_stopping():
        pass


def fire_due(stack: Stack, skipped: set[int] | None = None) -> int:
    """Fire what is due; returns how many schedules were found, at most AT_ONCE. Projects in `skipped` are left out, and
    those that cannot be written now are added to it: they do not delay others."""
    now, skipped = clock.now(), set[int]() if skipped is None else skipped
    with stack.database.reading() as tx:
        due = store.list_due(tx, now, now + slots.CLOCK_TOLERANCE, AT_ONCE, skipped)
    # Several workers find the same ones: in different orders, they seldom wait for each other.
    random.shuffle(due)
    try:
        for each in due:
            if each.project_id not in skipped and not _try_fire(stack, each):
                skipped.add(each.project_id)
    finally:
        if due:
            stack.notify_workers(QUEUE)
    return len(due)


def _try_fire(stack: Stack, due: store.Due) -> bool:
    """Fire a schedule; return False if nothing was changed, so that it is still due."""
    try:
        fire(stack, due)
    except Unavailable as error:
        log.warning("firing of schedules of a project failed", project=due.project_id, reason=str(error))
    except Exception as error:
        log.error("firing of schedules of a project failed", project=due.project_id, exception=error)
    else:
        return True
    return False


def fire(stack: Stack, due: store.Due) -> None:
    """Raises Unavailable, and then nothing was changed. A defect stops neither this schedule nor others: the slot is
    recorded as failed. A schedule that cannot be planned either is tried again after POSTPONED."""
    if (error := _try_to_fire(stack, due)) and (error := _try_to_fire(stack, due, _describe(error))):
        _postpone(stack, due, _describe(error))


def _try_to_fire(stack: Stack, due: store.Due, defect: str | None = None) -> Exception | None:
    try:
        _fire(stack, due, defect)
    except Unavailable:
        raise
    except Exception as error:
        log.error("creation of a scheduled job failed", exception=error, schedule=due.id, project=due.project_id)
        return error
    return None


def _fire(stack: Stack, due: store.Due, defect: str | None) -> None:
    """Fire a schedule. After an unexpected error no job is created."""
    with stack.database.writing(due.project_id) as tx:
        row, now = store.find_schedule(tx, due.project_id, due.id), clock.now()
        if not row or not row.is_enabled:
            return
        if slots.is_from_the_future(row, now):
            log.warning("the clock was set back", schedule=row.id, planned=str(row.planned_time))
        elif row.next_time and row.next_time > now:
            return  # another worker has fired it
        elif found := slots.find_due(tx, row, now):
            job_id, error = (None, defect) if defect else _try_to_create(tx, stack, row)
            _record(tx, row, found, job_id, error)
        store.plan_slot(tx, row, slots.find_next(tx, row, now), now)


def _describe(error: Exception) -> str:
    if isinstance(error, AppError):
        return error.message
    return f"An internal error: {type(error).__name__}. The log of the worker has the details."


def _postpone(stack: Stack, due: store.Due, problem: str) -> None:
    with stack.database.writing(due.project_id) as tx:
        now = clock.now()
        try:
            with tx.connection.begin_nested():
                _record_unplanned(tx, due, problem)
        except Exception as error:
            log.error("record of a failed schedule failed", exception=error, schedule=due.id, project=due.project_id)
        store.postpone(tx, due.id, now, now + slots.CLOCK_TOLERANCE, now + POSTPONED)


def _record_unplanned(tx: Transaction, due: store.Due, problem: str) -> None:
    row = store.find_schedule(tx, due.project_id, due.id)
    if row and row.next_time:
        _record(tx, row, slots.DueSlot(row.next_time, 0), None, problem)


def _record(tx: Transaction, row: ScheduleRow, due: slots.DueSlot, job_id: int | None, error: str | None) -> None:
    run = RunRow(
        id=ids.new_id(tx),
        schedule_id=row.id,
        slot=due.slot,
        created=clock.now(),
        job_id=job_id,
        error=error,
        missed=due.missed,
    )
    store.add_run(tx, run)
    store.remove_old_runs(tx, row.id, due.slot - KEPT, KEPT_RUNS)
    if due.missed:
        _add_event(tx, row, "warn", _missed_message(row, due))
    if error:
        _add_event(tx, row, "error", f"Schedule {row.id} could not create its job: {error}")


def _try_to_create(tx: Transaction, stack: Stack, row: ScheduleRow) -> tuple[int | None, str | None]:
    """The id of the job, or why there is none. Of a job that could not be created nothing is left."""
    try:
        with tx.connection.begin_nested():
            return _create_job(tx, stack, row), None
    except Unavailable:
        raise
    except AppError as error:
        return None, error.message


def _create_job(tx: Transaction, stack: Stack, row: ScheduleRow) -> int:
    try:
        caller = storage.get_caller(tx, row.project_id, row.token_id)
    except Unauthorized as error:
        raise TokenRevoked(row.id) from error
    target = row.target
    wanted = queue.NewJob(
        component=target.component_id,
        config=target.configuration_id,
        config_row_ids=target.configuration_row_ids or None,
        mode=target.mode,
        tag=target.tag or None,
    )
    return queue.create_job(tx, stack, caller, wanted).id


def _missed_message(row: ScheduleRow, due: slots.DueSlot) -> str:
    count = f"{due.missed:,}" if due.missed < COUNTED - 1 else f"At least {due.missed:,}"
    return (
        f"{count} runs of schedule {row.id} were missed since {_to_text(row.next_time)}. "
        f"One run makes up for them, that of {_to_text(due.slot)}."
    )


def _add_event(tx: Transaction, row: ScheduleRow, kind: str, message: str) -> None:
    params = {"scheduleId": str(row.id), "target": msgspec.to_builtins(row.target)}
    event = storage.NewEvent(
        message=message, component=COMPONENT, type=kind, configuration_id=row.configuration_id, params=params
    )
    storage.add_events(tx, service_caller(row), [event])


def _to_text(moment: datetime | None) -> str:
    return moment.isoformat(timespec="minutes") if moment else ""
