"""One job: its parts in turn, and how it ended.

A part runs until it has succeeded once; then its output is durable and recorded, and only loading is left. A worker
that takes over goes on at the first part that is not done, and loading twice is loading once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import UNSET

from penstock.components.component import Component
from penstock.foundation import ids
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.errors import AppError, Unauthorized, Unavailable
from penstock.foundation.jobs.claims import LeaseLost
from penstock.foundation.logging import Log
from penstock.foundation.removal import remove_tree
from penstock.foundation.stack import Stack
from penstock.runtime.exit_status import MESSAGE_CHARACTERS
from penstock.runtime.launchers import Launcher
from penstock.runtime.leftovers import remove_job_folder
from penstock.runtime.results import Metric
from penstock.services.developer import interface as developer
from penstock.services.queue import leases
from penstock.services.queue.execution.documents import Documents, Part, read_documents
from penstock.services.queue.execution.errors import ComponentBroken, ComponentFailed
from penstock.services.queue.execution.part import PartRun
from penstock.services.queue.job_events import caller_of, get_caller
from penstock.services.queue.leases import Ending, StateOf
from penstock.services.queue.models.jobs import JobRow
from penstock.services.queue.models.progress import Progress, read_progress
from penstock.services.queue.models.results import Failure, Input, Output, Result
from penstock.services.queue.models.statuses import Status
from penstock.services.queue.monitor import JobMonitor, Stopped, Terminated

log = Log("queue")

ChooseLauncher = Callable[[Component], Launcher]
FindUrl = Callable[[], str]

STORED, NOTHING = "Component processing finished.", "No configurations executed."
NOT_YOURS = (
    "The stack could not finish this job, through no fault of yours. Its operator finds why in the worker's log."
)


class Execution:
    """Everything that one attempt at a job needs to know."""

    def __init__(
        self,
        stack: Stack,
        job: JobRow,
        monitor: JobMonitor,
        choose_launcher: ChooseLauncher,
        find_storage_url: FindUrl = lambda: "",
    ) -> None:
        """`find_storage_url` tells where components reach Storage now, or nothing: then it is where its name leads."""
        self.find_storage_url = find_storage_url
        self.stack, self.job, self.monitor, self.choose_launcher = stack, job, monitor, choose_launcher
        self.caller = caller_of(job)
        self.progress: Progress = read_progress(job)
        self._state: StateOf | None = None
        self._is_warned = False

    def run(self) -> None:
        """Run and load the job, and record how it ended."""
        result = self._find_out()
        status = Status.ERROR if result.error else Status.SUCCESS
        if self.monitor.last_error != result.message:
            self.monitor.conclude("error" if result.error else "success", result.message)
        if result.error:
            self._make_room()
        with self.monitor.said() as events:
            ending = Ending(
                status=status,
                result=result,
                state=None if self.is_debugged else self._state,
                usage=self.progress.usage,
                metrics=self._metrics(),
                events=events,
            )
            leases.finish_job(self.stack, self.caller, self.job, ending)
        remove_job_folder(self.stack.jobs_folder / str(self.job.id))

    def _make_room(self) -> None:
        """What a failed component left may be what has filled the disk, and its end has to be recorded. Only what this
        attempt has made: a worker that has lost its lease must not remove the folder of another."""
        parts = self.stack.jobs_folder / str(self.job.id)
        for part in parts.iterdir() if parts.is_dir() else ():
            remove_tree(part / str(self.job.attempt))

    def _find_out(self) -> Result:
        """What the user can fix ends the job with a sentence for them."""
        try:
            self._end_run_token()
            return self._run_parts()
        except (LeaseLost, Stopped, Terminated, Unavailable):
            raise
        except AppError as error:
            return self._failure("user", error.message)
        except ComponentBroken as error:
            return self._failure("application", str(error))
        except Exception as error:
            log.error("job failed", exception=error, job_id=self.job.id)
            return self._failure("application", NOT_YOURS)

    def warn_of(self, launcher: Launcher, component: Component) -> None:
        """Once, and only where the job runs code that its users wrote."""
        if launcher.warning and component.runs_user_code and not self._is_warned:
            self._is_warned = True
            self.monitor.say("warn", launcher.warning)

    def _end_run_token(self) -> None:
        """One that an earlier attempt had no time to end."""
        if self.progress.run_token:
            leases.remove_run_token_of(self.stack, self.job, self.progress.run_token)
            self.progress = msgspec.structs.replace(self.progress, run_token=None)

    def see_caller(self) -> None:
        """Look again what the token may do."""
        with self.stack.database.reading() as tx:
            self.caller = self._get_caller(tx)

    def _get_caller(self, tx: Transaction) -> Caller:
        try:
            return get_caller(tx, self.job)
        except Unauthorized as error:
            raise ComponentFailed("The token that started this job was revoked or has expired.") from error

    def _run_parts(self) -> Result:
        with self.stack.database.reading() as tx:
            self.caller = self._get_caller(tx)
            documents = read_documents(tx, self.caller, self.job)
            component = self._get_component(tx)
        self.warn_of(self.choose_launcher(component), component)
        self._add_event(documents)
        for part in self._list_left(documents):
            self._record_part()
            done, state = PartRun(self, component, part, documents.version).run()
            self.progress, self._state = self.progress.with_part(done), StateOf(part.row_id, state)
        return self._success(documents)

    def _list_left(self, documents: Documents) -> list[Part]:
        """What is not done. What was collected comes first, even if its row was removed since; and a job that has begun
        with rows goes on with rows, whatever became of its configuration."""
        begun = [part.row_id for part in self.progress.done]
        if self.progress.collected:
            begun.append(self.progress.collected.done.row_id)
        left = [part for part in documents.parts if not begun or (part.row_id not in begun and None not in begun)]
        left = [part for part in left if not begun or part.row_id is not None]
        return [_find_part(documents, begun[-1]), *left] if self.progress.collected else left

    def _record_part(self) -> None:
        """The part before; the last one is recorded with the end of the job."""
        if self._state:
            leases.record_part(self.stack, self.caller, self.job, self.progress, self._state)
            self._state = None

    def _add_event(self, documents: Documents) -> None:
        for row_id in documents.skipped:
            self.monitor.say("info", f"Skipping disabled configuration row: {row_id}.")
        before = self.job.config_version
        if before is not None and documents.version not in (None, before):
            self.monitor.say(
                "warn",
                f"The configuration was changed after the job was created: "
                f"version {documents.version} runs, not {before}.",
            )

    def _get_component(self, tx: Transaction) -> Component:
        component = developer.find_component(tx, self.job.component)
        if not component:
            raise ComponentBroken(f"The component {self.job.component} is no longer in this stack.")
        return component

    def _success(self, documents: Documents) -> Result:
        done = self.progress.done
        artifacts = {
            "uploaded": [{"storageFileId": str(file)} for part in done for file in part.uploaded],
            "downloaded": [{"storageFileId": str(file)} for part in done for file in part.downloaded],
        }
        said = [variable for part in done for variable in part.output_variables]
        output = Output(tables=[table for part in done for table in part.outputs])
        return Result(
            message=STORED if done else NOTHING,
            config_version=str(documents.version) if documents.version is not None else UNSET,
            images=[part.images for part in done],
            input=Input(tables=[table for part in done for table in part.inputs]),
            output=msgspec.structs.replace(output, variables=said) if said else output,
            variables=[variable for part in done for variable in part.variables],
            artifacts=artifacts,
        )

    def add_usage(self, metrics: list[Metric]) -> None:
        """Kept also if the job fails."""
        told = [{"metric": self.monitor.clean(each.metric), "value": each.value} for each in metrics]
        self.progress = msgspec.structs.replace(self.progress, usage=[*self.progress.usage, *told])

    @property
    def is_debugged(self) -> bool:
        return self.job.mode == "debug"

    def _metrics(self) -> dict[str, Any]:
        done, backend = self.progress.done, self.job.backend
        storage = {
            "inputTablesBytesSum": sum(part.input_bytes for part in done),
            "outputTablesBytesSum": sum(part.output_bytes for part in done),
        }
        size = {"size": backend.get("type"), "containerSize": backend.get("containerType")}
        return {"storage": storage, "backend": {**size, "context": backend.get("context")}}

    def _failure(self, kind: str, message: str) -> Result:
        return Result(
            message=self.monitor.clean(message)[:MESSAGE_CHARACTERS],
            error=Failure(type=kind, exception_id=ids.new_exception_id()),
        )


def _find_part(documents: Documents, row_id: str | None) -> Part:
    """A row that is no longer there is one without a document: it is only stored."""
    return next((part for part in documents.parts if part.row_id == row_id), Part(row_id=row_id, document={}))
