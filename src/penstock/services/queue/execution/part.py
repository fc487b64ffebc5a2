"""One part of a job: a row of its configuration, or the configuration that has none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, ParamSpec, cast

import msgspec
from msgspec import UNSET

from penstock.components.component import Component
from penstock.components.sealing import seal_state
from penstock.contracts.tables import StoredTable
from penstock.foundation.callers import Caller
from penstock.foundation.errors import AppError, Unavailable
from penstock.foundation.jobs.claims import LeaseLost
from penstock.foundation.logging import Log
from penstock.foundation.secrets import Scope
from penstock.runtime import artifacts, debugging, input_mapping, output_mapping
from penstock.runtime.data_folder import DataFolder, check_configuration
from penstock.runtime.documents import read_section
from penstock.runtime.results import read_usage, read_variables, read_warnings
from penstock.services.encryption.interface import bindings
from penstock.services.management import interface as management
from penstock.services.queue.execution.documents import Documents, Part
from penstock.services.queue.execution.errors import ComponentBroken, ComponentFailed
from penstock.services.queue.execution.job_context import JobContext
from penstock.services.queue.execution.opening import Opened, open_part
from penstock.services.queue.execution.programs import Programs, list_programs
from penstock.services.queue.execution.run_context import find_default_bucket, to_artifact_run, to_context
from penstock.services.queue.execution.run_tokens import RunTokens
from penstock.services.queue.execution.storage_port import Maker, StoragePort
from penstock.services.queue.models.progress import Collected, PartDone, Progress
from penstock.services.queue.models.results import ROWS, Image, TableRef, Variable
from penstock.services.queue.running import leases
from penstock.services.queue.running.monitor import Stopped, Terminated

log = Log("queue")

P = ParamSpec("P")


class PartRun:
    """`caller` and `progress` may change while it runs, also if it fails."""

    def __init__(
        self,
        context: JobContext,
        caller: Caller,
        progress: Progress,
        component: Component,
        part: Part,
        documents: Documents,
    ) -> None:
        self._context, self.caller, self.progress = context, caller, progress
        self._component, self._part, self._version = component, part, documents.version
        self._stack, self._job, self._monitor = context.stack, context.job, context.monitor
        # Counted as they are done: the order of a configuration's rows may change between two attempts.
        self._number = len(progress.done)
        self._has_output = progress.collected is not None

    def run(self) -> tuple[PartDone, dict[str, Any]]:
        """Run the part; return its result, and the state for the next run."""
        collected = self._read_collected() or self._collect()
        if self._may_write(collected):
            # Checked again: a token that was revoked while the component ran must not write anything, not even a state.
            self.caller = self._context.read_caller()
        return self._store(collected)

    def _may_write(self, collected: Collected) -> bool:
        """Whether there is anything to write: tables and files, a state, tags of files that came in."""
        keeps_state = self._job.config_data is None
        return self._has_output or keeps_state or self._context.is_debugged or bool(collected.fetched.processed)

    def _read_collected(self) -> Collected | None:
        """What an earlier attempt has collected. Errors may quote what is stored, so its secrets have to be known."""
        if collected := self.progress.collected:
            # The output must not be lost because a secret cannot be decrypted any more.
            with suppress(AppError):
                self._monitor.redact_with(self._open_document().redactor)
        return collected

    def _collect(self) -> Collected:
        """Run the component; afterwards its output is durable."""
        opened = self._open()
        folder, port = self._folder(self._number, self._job.attempt), self._port()
        programs = self._prepare(folder, opened)
        folder.create()
        fetched = input_mapping.fetch(
            port, folder, _mapping(opened.document, "input"), self._remembered(), self._log_info
        )
        downloaded = artifacts.download(port, folder, opened.document, to_artifact_run(self._job))
        done = PartDone(
            row_id=self._part.row_id,
            images=self._run_programs(programs, folder, opened),
            inputs=[_show(table) for table in fetched.tables],
            variables=opened.variables,
            output_variables=self._read_variables(folder),
            downloaded=downloaded,
            input_bytes=fetched.bytes,
            warnings=[self._monitor.clean(warning) for warning in read_warnings(folder)],
        )
        collected = Collected(
            part=self._number,
            attempt=self._job.attempt,
            done=done,
            mapping={key: opened.encrypted[key] for key in ("storage", "artifacts") if key in opened.encrypted},
            fetched=fetched,
        )
        self._record_output(folder, collected)
        return collected

    def _open(self) -> Opened:
        opened = self._open_document()
        self._monitor.redact_with(opened.redactor)
        self._record_secrets(opened)
        for line in opened.told:
            self._monitor.log("info", line)
        check_configuration(opened.document)
        input_mapping.check(_mapping(opened.document, "input"))
        output_mapping.check(_mapping(opened.document, "output"))
        return opened

    def _record_secrets(self, opened: Opened) -> None:
        config = f" configuration {self._job.config}" if self._job.config else ""
        target = f"component {self._job.component}{config}"
        self._monitor.add_audit(opened.to_audit(self.caller, target, job=str(self._job.id)))

    def _open_document(self) -> Opened:
        return open_part(self._stack, self.caller, self._job, self._component, self._part)

    def _prepare(self, folder: DataFolder, opened: Opened) -> Programs:
        """The programs to run. Checked before anything is fetched."""
        caller, database = self.caller, self._stack.database
        programs = list_programs(database, caller, self._component, opened.document, self._job.tag)
        runtime = read_section(opened.document, "runtime", "container")
        with database.reading() as tx:
            features = management.get_project(tx, self._job.project_id).active_features
        told = to_context(
            self._job, self._stack.domain, opened, self._part.row_id, self._version, self._component, features
        )
        keep, begin = partial(self._keep_stage, folder), partial(self._begin_main, folder, opened)
        run_tokens = RunTokens(self._context, caller, self.progress)
        return Programs(self._context, run_tokens, folder, programs, told, runtime, keep, begin)

    def _begin_main(self, folder: DataFolder, opened: Opened) -> None:
        """The state may hold secrets, and what an earlier attempt has left may hold what a login returned."""
        folder.write_state(opened.state)
        if self._component.work:
            folder.take_over(self._component.work)

    def _run_programs(self, programs: Programs, folder: DataFolder, opened: Opened) -> list[Image]:
        try:
            images = programs.run()
        except (ComponentFailed, ComponentBroken):
            self._try(self._keep_usage, folder)
            self._try(self._store_always, folder, opened)
            raise
        self._keep_usage(folder)
        return images

    def _try(self, step: Callable[P, None], *args: P.args, **more: P.kwargs) -> None:
        """Carry out a step after a component failed: its error is the result of the job, so other errors are only
        logged."""
        try:
            step(*args, **more)
        except (LeaseLost, Stopped, Terminated, Unavailable):
            raise
        except AppError as error:
            self._monitor.log("warn", error.message)
        except Exception as error:
            log.error("cleanup after a failed job failed", exception=error, job_id=self._job.id)

    def _keep_usage(self, folder: DataFolder) -> None:
        used = [{"metric": self._monitor.clean(each.metric), "value": each.value} for each in read_usage(folder)]
        self.progress = msgspec.structs.replace(self.progress, usage=[*self.progress.usage, *used])

    def _record_output(self, folder: DataFolder, collected: Collected) -> None:
        """Make the output durable and record that it is there; without any output there is nothing to record."""
        self._has_output = folder.make_durable()
        if self._has_output:
            progress = msgspec.structs.replace(self.progress, collected=collected)
            leases.record_progress(self._stack, self._job, progress)

    def _store(self, collected: Collected) -> tuple[PartDone, dict[str, Any]]:
        folder, port = self._folder(collected.part, collected.attempt), self._port()
        if not folder.path.exists():
            raise ComponentBroken("What the component wrote is gone from the data folder. Run the job again.")
        # Encrypted first: a state that cannot be stored ends the job before anything is loaded.
        recorded = bindings.to_open_later(self._stack.database)
        state = {"component": seal_state(self._stack.cipher, folder.read_state(), self._scope, recorded)}
        state["storage"] = {"input": collected.fetched.state}
        if self._context.is_debugged:
            self._keep_stage(folder, debugging.LAST)
            return collected.done, state
        stored = self._store_tables(folder, collected.mapping, f"job-{self._job.id}-{collected.part}")
        uploaded = artifacts.upload(port, folder, collected.mapping, to_artifact_run(self._job))
        input_mapping.mark_processed(port, collected.fetched)
        done = msgspec.structs.replace(
            collected.done,
            outputs=[_show(table) for table in stored.tables],
            uploaded=uploaded,
            output_bytes=stored.bytes,
            warnings=[*collected.done.warnings, *self._log_warnings(stored.tables)],
        )
        return done, state

    def _log_warnings(self, tables: Sequence[StoredTable]) -> list[str]:
        warnings = [warning for table in tables for warning in table.warnings]
        for warning in warnings:
            self._monitor.log("warn", warning)
        return warnings

    def _store_always(self, folder: DataFolder, opened: Opened) -> None:
        """Store the output after a component failed: only tables with `write_always`."""
        if self._context.is_debugged:
            return
        # Nothing is recorded of a failure until the job ends, so this is the last place to see that it is still ours.
        leases.renew_lease(self._stack, self._job)
        self.caller = self._context.read_caller()
        # The attempt too: if there is another one, it runs the component again, and what comes of that counts.
        load_id = f"job-{self._job.id}-{self._number}-failed-{self._job.attempt}"
        self._store_tables(folder, opened.encrypted, load_id, is_failed=True)

    def _store_tables(
        self, folder: DataFolder, document: dict[str, Any], load_id: str, *, is_failed: bool = False
    ) -> output_mapping.Stored:
        defaults = output_mapping.Defaults(
            load_id=load_id,
            default_bucket=find_default_bucket(self._job, self._component),
            data_type_support=self._component.data_type_support,
            omits_empty_tables=self._component.omits_empty_tables,
            is_failed=is_failed,
        )
        plan = output_mapping.plan(folder, _mapping(document, "output"), defaults)
        for warning in plan.warnings:
            self._monitor.log("warn", warning)
        for note in plan.notes:
            self._monitor.log("info", note)
        return output_mapping.store(self._port(), folder, plan, self._log_info, self._monitor.check)

    def _keep_stage(self, folder: DataFolder, stage: str) -> None:
        """Store what is in the folder now, in debug mode, as a file of the project."""
        if self._context.is_debugged:
            tags = debugging.stage_tags(self._job.component, str(self._job.id), self._part.row_id)
            debugging.keep_stage(self._port(), folder, stage, tags, self._monitor.redactor)

    def _read_variables(self, folder: DataFolder) -> list[Variable]:
        variables = read_variables(folder)
        if variables.warning:
            self._monitor.log("warn", variables.warning)
        return [Variable(name, self._monitor.clean(value)) for name, value in variables.values.items()]

    def _log_info(self, line: str) -> None:
        self._monitor.log("info", line)

    def _remembered(self) -> dict[str, Any]:
        """What input mapping has kept. A state may have been written by hand, and be anything."""
        storage = self._part.state.get("storage")
        found: Any = cast(dict[str, Any], storage).get("input") if isinstance(storage, dict) else None
        return cast(dict[str, Any], found) if isinstance(found, dict) else {}

    def _folder(self, part: int, attempt: int) -> DataFolder:
        return DataFolder(self._stack.jobs_folder / str(self._job.id) / str(part) / str(attempt))

    def _port(self) -> StoragePort:
        """Return the port with the current rights of the token."""
        maker = Maker(
            component_id=self._job.component,
            run_id=str(self._job.id),
            config_id=self._job.config,
            row_id=self._part.row_id,
            features=self._component.features,
        )
        return StoragePort(self._stack, self.caller, maker, self._monitor.interruptible)

    @property
    def _scope(self) -> Scope:
        return Scope(self._job.project_id, self._job.component)


def _mapping(document: dict[str, Any], way: str) -> dict[str, Any]:
    return read_section(read_section(document, "storage", "container"), way, "container.storage")


def _show(table: StoredTable) -> TableRef:
    known = table.imported_rows is not None
    return TableRef(
        id=table.id,
        name=table.name,
        display_name=table.display_name,
        columns=[{"name": name} for name in table.columns],
        metrics=[{"name": ROWS, "value": table.imported_rows}] if known else UNSET,
    )
