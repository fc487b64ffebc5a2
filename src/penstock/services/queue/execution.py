"""One job, from its configuration to its tables.

The component runs until it has succeeded once; then its output is durable and recorded, and only loading is left. A
worker that takes over continues at whichever of the two was not finished, and loading twice is loading once.
"""

from __future__ import annotations

import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import msgspec

from penstock.components.catalogue import find_component
from penstock.components.component import Component
from penstock.foundation import ids
from penstock.foundation.callers import Caller
from penstock.foundation.claims import LeaseLost
from penstock.foundation.errors import AppError, Forbidden, Invalid, Unauthorized, Unavailable
from penstock.foundation.logging import Log
from penstock.foundation.redaction import Redactor
from penstock.foundation.secrets import Scope
from penstock.foundation.stack import Stack
from penstock.foundation.stacks import STORAGE, service_host
from penstock.runtime.data_folder import DataFolder
from penstock.runtime.output_mapping import MappedTable, map_tables
from penstock.runtime.process import Ended, Process, python_command
from penstock.services.queue import leases
from penstock.services.queue.feed import Feed, Stopped
from penstock.services.queue.models import Failure, JobRow, Output, OutputTable, Result
from penstock.services.storage import interface as storage

log = Log("queue")

MESSAGE_CHARACTERS = 4000
STORED = "Component processing finished."
NOT_YOURS = (
    "The stack could not finish this job, through no fault of yours. Its operator finds why in the worker's log."
)


class ComponentFailed(Invalid):
    """The component ended with an error that its user can mend."""


class ComponentBroken(Exception):
    """The component ended in a way that is not its user's fault."""


class Execution:
    """Everything that one attempt at a job needs to know."""

    def __init__(self, stack: Stack, job: JobRow, feed: Feed) -> None:
        self.stack, self.job, self.feed = stack, job, feed
        self.caller = leases.caller_of(job)

    def run(self) -> None:
        """Run and load the job, and record how it ended."""
        result, state = self._find_out()
        self.feed.flush()
        is_said = self.feed.last_error == result.message
        leases.finish_job(self.stack, self.caller, self.job, result, state, is_said=is_said)
        DataFolder(self.stack.jobs_folder / str(self.job.id)).remove()

    def _find_out(self) -> tuple[Result, dict[str, Any] | None]:
        """The result, and on success the state. What the user can mend ends the job with a sentence for them."""
        try:
            self.caller = self._get_caller()
            version = self._collect() if self.job.collected_attempt is None else None
            # Once more: a token that was revoked while the component ran writes nothing.
            self.caller = self._get_caller()
            return self._load(version)
        except (LeaseLost, Stopped, Unavailable):
            raise
        except AppError as error:
            return self._failure("user", error.message), None
        except ComponentBroken as error:
            return self._failure("application", str(error)), None
        except Exception as error:
            log.error("job failed", exception=error, job_id=self.job.id)
            return self._failure("application", NOT_YOURS), None

    def _get_caller(self) -> Caller:
        try:
            return storage.get_caller(self.stack, self.job.project_id, self.job.token_id)
        except Unauthorized as error:
            raise ComponentFailed("The token that started this job was revoked or has expired.") from error

    def _collect(self) -> str | None:
        """Run the component; afterwards its output is on disk to stay."""
        component = self._get_component()
        configuration, state, version = self._read_configuration()
        meant = msgspec.structs.replace(self._scope, hosts=component.hosts_of(configuration))
        opened = self.stack.cipher.decrypt(configuration, meant)
        remembered = self.stack.cipher.decrypt(state, self._scope)
        self.feed.hide(Redactor.of([opened, remembered]))
        folder = self._folder()
        folder.prepare(opened, remembered)
        if component.work:
            folder.take_over(component.work)
        self._run_component(component, folder, version)
        # A worker that was thought dead finds out here, before it touches what is no longer its own.
        leases.renew_lease(self.stack, self.job)
        folder.seal()
        leases.record_collected(self.stack, self.job)
        return version

    def _read_configuration(self) -> tuple[dict[str, Any], dict[str, Any], str | None]:
        if self.job.config_data is not None:
            return msgspec.json.decode(self.job.config_data), {}, None
        with self.stack.database.reading() as tx:
            stored = storage.read_configuration(tx, self.caller, self.job.component, self.job.config or "")
        return stored.document, stored.state.get("component", {}), str(stored.version)

    def _get_component(self) -> Component:
        component = find_component(self.job.component)
        if not component:
            raise ComponentBroken(f"The component {self.job.component} is no longer in this stack.")
        return component

    def _run_component(self, component: Component, folder: DataFolder, version: str | None) -> None:
        command = python_command(component.module, component.arguments)
        environment = self._environment(folder, version)
        process = Process(command, folder.path, environment, self.feed.tell)
        self.feed.watch(process)
        ended = self._wait(process, component)
        self._judge(ended)

    def _environment(self, folder: DataFolder, version: str | None) -> dict[str, str]:
        known = {"KBC_CONFIGID": self.job.config, "KBC_CONFIGVERSION": version, "KBC_BRANCHID": str(self.job.branch_id)}
        return {
            "KBC_DATADIR": str(folder.path),
            "KBC_RUNID": str(self.job.id),
            "KBC_PROJECTID": str(self.job.project_id),
            "KBC_COMPONENTID": self.job.component,
            "KBC_STACKID": service_host(STORAGE, self.stack.domain),
            **{name: value for name, value in known.items() if value},
            **self.stack.outbound.to_environment(),
        }

    def _wait(self, process: Process, component: Component) -> Ended:
        deadline = time.monotonic() + component.timeout_seconds
        while not (ended := process.wait(timeout=0.2)):
            self.feed.check()
            if time.monotonic() > deadline:
                process.stop()
                raise ComponentFailed(f"The component ran longer than {component.timeout_seconds} seconds.")
        self.feed.check()
        return ended

    def _judge(self, ended: Ended) -> None:
        if ended.exit_code == 0:
            return
        said = self.feed.clean(ended.errors) or self.feed.last_error or "No error message."
        if ended.exit_code == 1:
            raise ComponentFailed(said[:MESSAGE_CHARACTERS])
        raise ComponentBroken(f"Application error (exit code {ended.exit_code}): {said}"[:MESSAGE_CHARACTERS])

    def _load(self, version: str | None) -> tuple[Result, dict[str, Any]]:
        folder = self._folder()
        if not folder.path.exists():
            raise ComponentBroken("What the component wrote is gone from the data folder. Run the job again.")
        # Sealed first: a state that cannot be kept ends the job before anything is loaded.
        state = self.stack.cipher.encrypt(folder.read_state(), self._scope)
        mapped = map_tables(folder.tables, self._default_bucket())
        loads = [self._to_load(table) for table in mapped if self._has_columns(table)]
        self._check(loads)
        tables = [self._load_table(load) for load in loads]
        output = Output(tables=[_show(table) for table in tables])
        return Result(message=STORED, output=output, config_version=version or msgspec.UNSET), state

    def _has_columns(self, table: MappedTable) -> bool:
        """Records without a single field make a file of blank lines, which is no table."""
        with table.file.open("rb") as file:
            found = bool(file.readline(2).strip())
        if not found:
            self.feed.say("warn", f"The records for table {table.destination} have no fields, so it was left out.")
        return found

    def _to_load(self, table: MappedTable) -> storage.TableLoad:
        return storage.TableLoad(
            # The file's name too: two files may go into one table.
            id=f"job-{self.job.id}-{table.file.name}",
            table_id=table.destination,
            file=table.file,
            incremental=table.incremental,
            primary_key=table.primary_key,
        )

    def _check(self, loads: list[storage.TableLoad]) -> None:
        """Every table before the first: a job that cannot load one of them loads none."""
        for load in loads:
            with _naming(load):
                storage.check_load(self.stack, self.caller, load)

    def _load_table(self, load: storage.TableLoad) -> storage.StoredTable:
        self.feed.check()
        with _naming(load):
            stored = storage.load_table(self.stack, self.caller, load)
        self.feed.say("info", f"Loaded table {stored.id}: it has {stored.rows_count} rows now.")
        return stored

    def _default_bucket(self) -> str | None:
        if not self.job.config:
            return None
        return f"in.c-{self.job.component.replace('.', '-')}-{self.job.config}"

    @property
    def _scope(self) -> Scope:
        return Scope(self.job.project_id, self.job.component)

    def _folder(self) -> DataFolder:
        attempt = self.job.collected_attempt or self.job.attempt
        return DataFolder(self.stack.jobs_folder / str(self.job.id) / str(attempt))

    def _failure(self, kind: str, message: str) -> Result:
        return Result(
            message=self.feed.clean(message)[:MESSAGE_CHARACTERS],
            error=Failure(type=kind, exception_id=ids.new_exception_id()),
        )


@contextmanager
def _naming(load: storage.TableLoad) -> Generator[None]:
    """Say which table an error is about."""
    try:
        yield
    except (Invalid, Forbidden) as error:
        raise ComponentFailed(f'Failed to load table "{load.table_id}": {error.message}') from error


def _show(table: storage.StoredTable) -> OutputTable:
    return OutputTable(
        id=table.id,
        name=table.name,
        display_name=table.display_name,
        columns=[{"name": name} for name in table.columns],
        metrics=[{"name": "importedRowsCount", "value": table.imported_rows}],
    )
