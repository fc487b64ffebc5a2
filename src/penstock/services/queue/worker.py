"""Queue's worker: how its jobs are claimed, run, put back and terminated."""

from __future__ import annotations

from contextlib import suppress

from penstock.components.component import Component
from penstock.foundation.database import Database
from penstock.foundation.errors import Unavailable
from penstock.foundation.jobs import worker as jobs_worker
from penstock.foundation.jobs.claims import LeaseLost
from penstock.foundation.logging import Log
from penstock.foundation.stack import Stack
from penstock.runtime.data_folder import remove_job_folder, retry_leftovers
from penstock.runtime.launchers import Launcher, choose_launcher
from penstock.runtime.sandboxing import SandboxRule
from penstock.services.management import interface as management
from penstock.services.queue.execution import ChooseLauncher, Execution, FindUrl
from penstock.services.queue.models.jobs import JobRow, Kind
from penstock.services.queue.reports.job_events import caller_of
from penstock.services.queue.running import leases
from penstock.services.queue.running.monitor import JobMonitor, Stopped, Terminated
from penstock.services.queue.store import jobs

log = Log("worker")

DRAIN_SECONDS = 6.0


class Worker(jobs_worker.Worker[JobRow]):
    """stop() lets the running job end if it does so soon, and puts it back otherwise."""

    drain_seconds = DRAIN_SECONDS

    def __init__(
        self, stack: Stack, name: str, choose_launcher: ChooseLauncher, find_storage_url: FindUrl = lambda: ""
    ) -> None:
        super().__init__(stack.database, name, jobs.CLAIMS)
        self._stack, self._choose_launcher, self._find_storage_url = stack, choose_launcher, find_storage_url
        self._monitor: JobMonitor | None = None

    def prepare(self) -> None:
        self._remove_leftovers()
        super().prepare()

    def claim(self) -> JobRow | None:
        if self._stack.ballast.is_read_only():
            return None
        try:
            return leases.claim_job(self._stack, self.name)
        except (Unavailable, LeaseLost):
            return None

    def interrupt(self) -> None:
        if self._monitor:
            self._monitor.stop(Stopped())

    def perform(self, job: JobRow) -> None:
        log.info("job started", job_id=job.id, component=job.component, config=job.config, attempt=job.attempt)
        try:
            if job.type is Kind.STANDARD:
                self._execute(job)
                log.info("job ended", job_id=job.id)
            else:
                leases.begin_flow(self._stack, job)
        except Stopped:
            self._put_back(job)
        except Terminated:
            self._end_terminated(job)
        except LeaseLost:
            # Logged here, because both the renewal and the code that records the end may notice it.
            log.warning("lease lost", job_id=job.id, attempt=job.attempt)
            self._remove_leftovers()
        except Unavailable as error:
            # Nothing was recorded: the lease runs out and the job is claimed again.
            log.error("job interrupted", exception=error, job_id=job.id)
        except Exception as error:
            # The same; the next job has nothing to do with it.
            log.error("record of a job failed", exception=error, job_id=job.id)
        finally:
            self._monitor = None

    def _execute(self, job: JobRow) -> None:
        with JobMonitor(self._stack, caller_of(job), job) as self._monitor:
            Execution(self._stack, job, self._monitor, self._choose_launcher, self._find_storage_url).run()

    def _end_terminated(self, job: JobRow) -> None:
        with suppress(LeaseLost, Unavailable):
            leases.end_terminated(self._stack, job)
            log.info("job ended", job_id=job.id)
        remove_job_folder(self._stack.jobs_folder / str(job.id))

    def _remove_leftovers(self) -> None:
        """Folders of jobs that another worker has ended: nothing else removes what was made for them here."""
        try:
            remove_leftovers(self._stack)
        except Unavailable as error:
            log.warning("cleanup of job folders failed", reason=str(error))
        except Exception as error:
            # The next start tries again; nothing in them may stop a worker.
            log.error("cleanup of job folders failed", exception=error)

    def _put_back(self, job: JobRow) -> None:
        with suppress(LeaseLost, Unavailable):
            leases.release_job(self._stack, job)


def launchers_of(stack: Stack) -> ChooseLauncher:
    """How components of this stack are started."""
    settings = stack.settings
    rule = SandboxRule(setting=settings.sandbox, host=settings.host)
    return launchers(settings.launcher, rule, stack.database, settings.component_network)


def launchers(kind: str, rule: SandboxRule, database: Database, network: str = "gate") -> ChooseLauncher:
    """How components are started, as the stack's settings say; and, where they do not, as its projects ask for."""

    def choose(component: Component) -> Launcher:
        with database.reading() as tx:
            projects = 1 if rule.setting else management.count_projects(tx)
        mode, reason = rule.find_mode(projects), rule.find_reason(projects)
        return choose_launcher(kind, component.image, mode, reason, network, has_command=component.has_command)

    return choose


def remove_leftovers(stack: Stack) -> None:
    """Remove folders of jobs that have ended; a kill can leave them behind."""
    folders = list(stack.jobs_folder.iterdir()) if stack.jobs_folder.exists() else []
    # Read after the folders: a job that began meanwhile is in neither list.
    with stack.database.reading() as tx:
        unfinished = jobs.list_unfinished_ids(tx)
    for folder in folders:
        if not folder.name.isdecimal() or int(folder.name) not in unfinished:
            remove_job_folder(folder)
    retry_leftovers(stack.folder)
