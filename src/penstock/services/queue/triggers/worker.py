"""Checks triggers whose tables were loaded, and starts their jobs.

The job, the time of the trigger's last run and the end of the check are written in one transaction: whenever a worker
is killed, a load has started one job or is checked again.
"""

from __future__ import annotations

from datetime import timedelta

from penstock.foundation import clock
from penstock.foundation.database import Transaction
from penstock.foundation.errors import AppError, Unavailable
from penstock.foundation.jobs import worker as jobs_worker
from penstock.foundation.jobs.claims import MAX_LOST_LEASES, LeaseLost
from penstock.foundation.logging import Log
from penstock.foundation.stack import Stack
from penstock.foundation.stacks import QUEUE
from penstock.services.queue import interface
from penstock.services.queue.interface import Job, NewJob
from penstock.services.queue.store import trigger_runs
from penstock.services.queue.store.trigger_runs import TriggerRun
from penstock.services.queue.triggers.reactions import add_event
from penstock.services.storage import interface as storage

log = Log("queue")

KEPT = timedelta(days=30)
LOST = f"It was checked {MAX_LOST_LEASES} times, and each time its worker died. It is not tried again."


class TriggerWorker(jobs_worker.Worker[TriggerRun]):
    def __init__(self, stack: Stack, name: str) -> None:
        super().__init__(stack.database, name, trigger_runs.CLAIMS)
        self._stack = stack

    def claim(self) -> TriggerRun | None:
        if self._stack.ballast.is_read_only():
            return None
        with self._database.claiming() as tx:
            return trigger_runs.claim(tx, self.name, clock.now())

    def perform(self, job: TriggerRun) -> None:
        if job.lost_leases >= MAX_LOST_LEASES:
            return self._give_up(job, LOST)
        try:
            with self._database.writing(job.project_id) as tx:
                self._check(tx, job)
        except (Unavailable, LeaseLost):
            raise
        except Exception as error:
            # Recorded, or it would be checked again for ever.
            log.error(
                "check of a trigger failed", exception=error, trigger_id=job.trigger_id, project_id=job.project_id
            )
            return self._give_up(job, f"It could not be checked: {type(error).__name__}.")
        return self._stack.notify_workers(QUEUE)

    def _give_up(self, run: TriggerRun, reason: str) -> None:
        """The next load of one of its tables has it checked again."""
        with self._database.writing(run.project_id) as tx:
            if trigger := storage.find_trigger(tx, run.project_id, run.trigger_id):
                add_event(tx, run.project_id, trigger, "error", reason)
            trigger_runs.finish(tx, run, error=reason)

    def _check(self, tx: Transaction, run: TriggerRun) -> None:
        trigger, now = storage.find_trigger(tx, run.project_id, run.trigger_id), clock.now()
        if not trigger or not storage.is_trigger_loaded(tx, run.project_id, trigger.id):
            # The next load of one of its tables has it checked again.
            trigger_runs.finish(tx, run)
        elif trigger.ready and now < trigger.ready:
            trigger_runs.delay(tx, run, trigger.ready)
        else:
            storage.record_trigger_run(tx, run.project_id, trigger.id, now)
            self._start(tx, run, trigger)

    def _start(self, tx: Transaction, run: TriggerRun, trigger: storage.Trigger) -> None:
        try:
            with tx.connection.begin_nested():
                started = self._create_job(tx, run.project_id, trigger)
        except Unavailable:
            raise
        except AppError as error:
            log.warning(
                "start by a trigger refused", trigger_id=trigger.id, project_id=run.project_id, reason=error.message
            )
            add_event(tx, run.project_id, trigger, "error", error.message)
            trigger_runs.finish(tx, run, error=error.message)
        else:
            log.info("trigger started a job", trigger_id=trigger.id, job_id=started.id)
            trigger_runs.finish(tx, run, started.id)

    def _create_job(self, tx: Transaction, project_id: int, trigger: storage.Trigger) -> Job:
        caller = storage.get_caller(tx, project_id, trigger.token_id)
        wanted = NewJob(component=trigger.component, config=trigger.configuration_id)
        return interface.create_job(tx, self._stack, caller, wanted)


def maintain(stack: Stack) -> None:
    """Jobs of triggers load their tables within this time, if at all."""
    with stack.database.writing() as tx:
        trigger_runs.remove_ended(tx, clock.now() - KEPT)
