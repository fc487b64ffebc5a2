"""One action: a process of the component with the prepared configuration, and nothing of Storage.

The process is started in the same way, and in the same sandbox, as that of a job. Its folder exists while it runs.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

import msgspec

from penstock.components.component import Component
from penstock.foundation import audit
from penstock.foundation.callers import Caller
from penstock.foundation.interruption import Interrupted
from penstock.foundation.stack import Stack
from penstock.foundation.stacks import STORAGE, service_host
from penstock.runtime import gelf
from penstock.runtime.data_folder import DataFolder, remove_job_folder
from penstock.runtime.documents import read_section
from penstock.runtime.environment import RunContext
from penstock.runtime.exit_status import Facts
from penstock.runtime.launch import Launch, Limits, ProcessExit
from penstock.runtime.launchers import check_launchable
from penstock.services.billing import interface as billing
from penstock.services.developer import interface as developer
from penstock.services.management import interface as management
from penstock.services.queue import interface as queue
from penstock.services.storage import interface as storage
from penstock.services.sync_actions import operations
from penstock.services.sync_actions.models import NewAction, to_document
from penstock.services.sync_actions.results import RESULT_BYTES, read_result

FOLDER = "actions"
ACTION_SECONDS = 30
POLL_SECONDS = 0.2
CODE = "/code"
"""What errors call the folder of a component."""
FORGOTTEN_SECONDS = 300.0


class ClientLeft(Interrupted):
    """Nobody waits for the result any more."""


class ActionRun:
    """Run it in a thread; stop() may be called from another one."""

    def __init__(self, stack: Stack, caller: Caller, new_action: NewAction) -> None:
        self._stack, self._caller, self._wanted = stack, caller, new_action
        self._is_stopped = False
        self._last_error = ""

    def stop(self) -> None:
        """End the process with everything that it started; run() raises."""
        self._is_stopped = True

    def run(self) -> bytes:
        """The result, as JSON."""
        with self._stack.database.reading() as tx:
            caller = storage.in_branch(tx, self._caller, self._wanted.branch_id)
            component = operations.get_component(tx, caller, self._wanted.component_id, self._wanted.action)
            billing.check_credits(tx, self._stack, caller)
            queue.check_tag(component, self._wanted.tag)
            tag, project_id = self._wanted.tag, caller.project_id
            component = developer.find_component(tx, component.id, tag, project_id=project_id) or component
            features = management.get_project(tx, caller.project_id).active_features
            given = to_document(self._wanted.config_data)
            # As that of a job: a cipher of the Encryption service is bound to the hosts that it will be sent to.
            sealed = queue.seal_configuration(tx, caller, self._stack.cipher, component, given)
        check_launchable(self._stack.settings.launcher, component.image, has_command=component.has_command)
        component = developer.place_program(self._stack, component)
        opened = queue.open_configuration(self._stack, caller, component, sealed)
        self._record_uses(caller, component, opened)
        context = self._make_context(caller, component, opened, features)
        with self._folder(component, opened) as folder, self._listening(component) as logger:
            ended = self._start_and_wait(component, folder, msgspec.structs.replace(context, logger=logger), opened)
        return self._read(component, ended, opened)

    def _record_uses(self, caller: Caller, component: Component, opened: queue.Opened) -> None:
        """Record uses before the component gets the secrets: nothing else is written for an action."""
        if uses := opened.to_audit(caller, f"component {component.id}", action=self._wanted.action):
            with self._stack.database.writing(caller.project_id) as tx:
                audit.record_all(tx, uses)

    def _make_context(
        self, caller: Caller, component: Component, opened: queue.Opened, features: tuple[str, ...]
    ) -> RunContext:
        return RunContext(
            run_id=caller.run_id or "0",
            project_id=str(caller.project_id),
            component=component.id,
            stack=service_host(STORAGE, self._stack.domain),
            branch_id=str(caller.branch_id),
            parameters=read_section(opened.encrypted, "parameters", "container"),
            run_mode=self._wanted.mode,
            features=features,
        )

    @contextmanager
    def _folder(self, component: Component, opened: queue.Opened) -> Generator[Path]:
        folder = DataFolder(self._stack.folder / FOLDER / secrets.token_hex(8))
        try:
            folder.create()
            folder.write_configuration(
                opened.document,
                action=self._wanted.action,
                image_parameters=queue.find_image_parameters(self._stack, component),
            )
            yield folder.path
        finally:
            remove_job_folder(folder.path)

    @contextmanager
    def _listening(self, component: Component) -> Generator[tuple[str, int] | None]:
        if component.logging.type != "gelf":
            yield None
            return
        with gelf.Listener(component.logging.gelf_server_type, partial(self._keep_error, component)) as listener:
            yield listener.address

    def _keep_error(self, component: Component, record: gelf.Record) -> None:
        line = gelf.to_line(record, component.logging.verbosity)
        if line and line.type == "error":
            self._last_error = line.message

    def _start_and_wait(
        self, component: Component, folder: Path, context: RunContext, opened: queue.Opened
    ) -> ProcessExit:
        launcher = queue.launchers_of(self._stack)(component)
        clean = partial(opened.redactor.clean_start, errors="replace")
        running = launcher.start(self._to_launch(component, folder, context), lambda _line: None, clean)
        while not (ended := running.wait(POLL_SECONDS)):
            if self._is_stopped:
                running.stop()
        if self._is_stopped:
            raise ClientLeft
        return ended

    def _to_launch(self, component: Component, folder: Path, context: RunContext) -> Launch:
        launch = queue.make_launch(self._stack, component, folder, context, self._limits(component), self._wanted.tag)
        return msgspec.structs.replace(launch, output_bytes=RESULT_BYTES)

    def _limits(self, component: Component) -> Limits:
        """A client waits for the result, so it does not give way to others as a job does."""
        return msgspec.structs.replace(queue.make_limits(self._stack, component, ACTION_SECONDS), niceness=0)

    def _read(self, component: Component, ended: ProcessExit, opened: queue.Opened) -> bytes:
        facts = Facts(
            name=component.image or component.id,
            limits=self._limits(component),
            last_error=self._last_error,
            no_application_errors=component.no_application_errors,
        )

        def clean(text: str) -> str:
            text = opened.redactor.clean(text)
            return self._stack.paths.hide(text.replace(str(component.folder), CODE) if component.folder else text)

        return read_result(ended, facts, clean)


def remove_forgotten(stack: Stack) -> None:
    """Folders of actions whose server was killed: none takes as long as these are old."""
    folders = stack.folder / FOLDER
    for folder in list(folders.iterdir()) if folders.is_dir() else ():
        with suppress(FileNotFoundError):  # an action that ends removes its own
            if time.time() - folder.stat().st_mtime > FORGOTTEN_SECONDS:
                remove_job_folder(folder)
