"""One attempt at a job: runs its parts in order and records the result.

A part runs until it has succeeded once; then its output is durable and recorded, and only has to be loaded. A worker
that takes the job over continues with the first part that is not done; loads are idempotent.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET

from penstock.components.component import Component
from penstock.foundation.database import Transaction
from penstock.foundation.errors import AppError, Unavailable
from penstock.foundation.files.removal import remove_tree
from penstock.foundation.jobs.claims import LeaseLost
from penstock.foundation.stack import Stack
from penstock.runtime.data_folder import remove_job_folder
from penstock.runtime.exit_status import MESSAGE_CHARACTERS
from penstock.services.developer import interface as developer
from penstock.services.queue.execution.documents import Documents, Part, read_documents
from penstock.services.queue.execution.errors import ComponentBroken
from penstock.services.queue.execution.job_context import ChooseLauncher, FindUrl, JobContext
from penstock.services.queue.execution.part import PartRun
from penstock.services.queue.models.jobs import JobRow
from penstock.services.queue.models.progress import PartDone, read_progress
from penstock.services.queue.models.results import Input, Output, Result
from penstock.services.queue.models.statuses import Status
from penstock.services.queue.reports.failures import INTERNAL_ERROR, new_failure
from penstock.services.queue.reports.job_events import caller_of
from penstock.services.queue.running import leases
from penstock.services.queue.running.leases import JobOutcome, StateOf
from penstock.services.queue.running.monitor import JobMonitor, Stopped, Terminated

STORED, NOTHING = "Component processing finished.", "No configurations executed."


class Execution:
    """One attempt at a job."""

    def __init__(
        self,
        stack: Stack,
        job: JobRow,
        monitor: JobMonitor,
        choose_launcher: ChooseLauncher,
        find_storage_url: FindUrl = lambda: "",
    ) -> None:
        self._context = JobContext(
            stack=stack,
            job=job,
            monitor=monitor,
            choose_launcher=choose_launcher,
            find_storage_url=find_storage_url,
        )
        self._stack, self._job, self._monitor = stack, job, monitor
        self._caller, self._progress = caller_of(job), read_progress(job)
        self._state: StateOf | None = None

    def run(self) -> None:
        """Run and load the job, and record how it ended."""
        result = self._run_to_result()
        status = Status.ERROR if result.error else Status.SUCCESS
        self._monitor.add_last_event("error" if result.error else "success", result.message)
        if result.error:
            self._free_disk_space()
        with self._monitor.pending() as pending:
            outcome = JobOutcome(
                status=status,
                result=result,
                state=None if self._context.is_debugged else self._state,
                usage=self._progress.usage,
                metrics=self._metrics(),
                pending=pending,
            )
            leases.finish_job(self._stack, self._caller, self._job, outcome)
        remove_job_folder(self._stack.jobs_folder / str(self._job.id))

    def _free_disk_space(self) -> None:
        """Delete the output of a failed component, which may have filled the disk, so that the result can be recorded.
        Only that of this attempt: a worker that has lost its lease must not delete the folder of another."""
        parts = self._stack.jobs_folder / str(self._job.id)
        for part in parts.iterdir() if parts.is_dir() else ():
            remove_tree(part / str(self._job.attempt))

    def _run_to_result(self) -> Result:
        """The result of the job, also of a failed one; errors that end only this attempt are raised."""
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
            return self._failure("application", INTERNAL_ERROR, error)

    def _end_run_token(self) -> None:
        """Delete the token of an earlier attempt that was interrupted."""
        if self._progress.run_token:
            leases.remove_run_token_of(self._stack, self._job, self._progress.run_token)
            self._progress = msgspec.structs.replace(self._progress, run_token=None)

    def _run_parts(self) -> Result:
        with self._stack.database.reading() as tx:
            self._caller = self._context.get_caller(tx)
            documents = read_documents(tx, self._caller, self._job)
            component = self._get_component(tx)
        self._context.get_launcher(component)
        self._log_differences(documents)
        for part in self._list_remaining(documents):
            self._record_previous_part()
            done, state = self._run_part(
                PartRun(self._context, self._caller, self._progress, component, part, documents)
            )
            self._progress, self._state = self._progress.with_part(done), StateOf(part.row_id, state)
        return self._success(documents)

    def _run_part(self, run: PartRun) -> tuple[PartDone, dict[str, Any]]:
        """The usage of a failed part counts as well."""
        try:
            return run.run()
        finally:
            self._caller, self._progress = run.caller, run.progress

    def _list_remaining(self, documents: Documents) -> list[Part]:
        """Parts that are not done. One whose output was collected comes first, even if its row was deleted since. A job
        that began with rows continues with rows, even if the configuration has none any more."""
        begun = [part.row_id for part in self._progress.done]
        if self._progress.collected:
            begun.append(self._progress.collected.done.row_id)
        remaining = [part for part in documents.parts if not begun or (part.row_id not in begun and None not in begun)]
        remaining = [part for part in remaining if not begun or part.row_id is not None]
        return [_find_part(documents, begun[-1]), *remaining] if self._progress.collected else remaining

    def _record_previous_part(self) -> None:
        """The last part of a job is recorded with its end."""
        if self._state:
            leases.record_part(self._stack, self._caller, self._job, self._progress, self._state)
            self._state = None

    def _log_differences(self, documents: Documents) -> None:
        for row_id in documents.skipped:
            self._monitor.log("info", f"Skipping disabled configuration row: {row_id}.")
        before = self._job.config_version
        if before is not None and documents.version not in (None, before):
            self._monitor.log(
                "warn",
                f"The configuration was changed after the job was created: "
                f"version {documents.version} runs, not {before}.",
            )

    def _get_component(self, tx: Transaction) -> Component:
        component = developer.find_component(
            tx, self._job.component, self._job.tag or "", project_id=self._job.project_id
        )
        if not component:
            raise ComponentBroken(f"The component {self._job.component} is no longer in this stack.")
        return component

    def _success(self, documents: Documents) -> Result:
        done = self._progress.done
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
            warnings=[warning for part in done for warning in part.warnings] or UNSET,
        )

    def _metrics(self) -> dict[str, Any]:
        done, backend = self._progress.done, self._job.backend
        storage = {
            "inputTablesBytesSum": sum(part.input_bytes for part in done),
            "outputTablesBytesSum": sum(part.output_bytes for part in done),
        }
        size = {"size": backend.get("type"), "containerSize": backend.get("containerType")}
        return {"storage": storage, "backend": {**size, "context": backend.get("context")}}

    def _failure(self, kind: str, message: str, cause: Exception | None = None) -> Result:
        shown = self._monitor.clean(message)[:MESSAGE_CHARACTERS]
        return Result(message=shown, error=new_failure(self._job.id, kind, shown, cause))


def _find_part(documents: Documents, row_id: str | None) -> Part:
    """A row that was deleted has no document; its output is only loaded."""
    return next((part for part in documents.parts if part.row_id == row_id), Part(row_id=row_id, document={}))
