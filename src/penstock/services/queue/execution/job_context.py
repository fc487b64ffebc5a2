"""What every step of an attempt at a job needs. It is immutable; what changes is passed as arguments."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from penstock.components.component import Component
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.errors import Unauthorized
from penstock.foundation.stack import Stack
from penstock.runtime.launchers import Launcher
from penstock.services.queue.execution.errors import ComponentFailed
from penstock.services.queue.models.jobs import JobRow
from penstock.services.queue.reports.job_events import get_caller
from penstock.services.queue.running.monitor import JobMonitor

ChooseLauncher = Callable[[Component], Launcher]
FindUrl = Callable[[], str]


class JobContext(msgspec.Struct, frozen=True, kw_only=True):
    stack: Stack
    job: JobRow
    monitor: JobMonitor
    choose_launcher: ChooseLauncher
    find_storage_url: FindUrl
    """Where components reach Storage now; empty if it is where its name leads."""

    @property
    def is_debugged(self) -> bool:
        return self.job.mode == "debug"

    def get_caller(self, tx: Transaction) -> Caller:
        """Return the caller with what the job's token may do now; raises if it was revoked or has expired."""
        try:
            return get_caller(tx, self.job)
        except Unauthorized as error:
            raise ComponentFailed("The token that started this job was revoked or has expired.") from error

    def read_caller(self) -> Caller:
        with self.stack.database.reading() as tx:
            return self.get_caller(tx)

    def get_launcher(self, component: Component) -> Launcher:
        """Return the launcher. Its warning is logged once, and only where the job runs code that its users wrote."""
        launcher = self.choose_launcher(component)
        if launcher.warning and component.runs_user_code:
            self.monitor.warn_once(launcher.warning)
        return launcher
