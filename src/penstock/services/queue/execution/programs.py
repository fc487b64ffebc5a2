"""The programs of a part, one after another: processors, the component, processors again."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import partial
from typing import Any

import msgspec

from penstock.components.component import Component
from penstock.components.processors import get_name, get_tag
from penstock.foundation.callers import Caller
from penstock.foundation.database import Database, Transaction
from penstock.foundation.logging import Log
from penstock.runtime import gelf
from penstock.runtime.data_folder import DataFolder
from penstock.runtime.documents import BadConfiguration, read_list, read_section
from penstock.runtime.environment import RunContext
from penstock.runtime.exit_status import Facts, Fault, judge
from penstock.runtime.images import run_images
from penstock.runtime.launch import Limits, ProcessExit
from penstock.runtime.launchers.container import ContainerLauncher
from penstock.runtime.launchers.engines import find_digest
from penstock.runtime.log import read_errors
from penstock.services.developer import interface as developer
from penstock.services.queue.execution.errors import ComponentBroken, ComponentFailed
from penstock.services.queue.execution.job_context import JobContext
from penstock.services.queue.execution.launching import find_image, find_image_parameters, make_launch, make_limits
from penstock.services.queue.execution.run_tokens import RunTokens
from penstock.services.queue.models.results import Image
from penstock.services.queue.operations.processors import get_processor

log = Log("queue")

KeepStage = Callable[[str], None]
"""Given what the stage is called."""
BeginMain = Callable[[], None]
"""Puts what is the component's alone into its data folder: processors do not see it."""

LOOK_SECONDS = 0.2
CODE = "/code"
"""What the log calls the folder of a component."""
SIZES = {"xsmall": 0.5, "small": 1.0, "medium": 2.0, "large": 7.1}
"""By the size of a job's backend: how much of a component's memory it gets."""
MAX_SECONDS = 24 * 3600
"""The longest time that a configuration may ask for."""


class Program(msgspec.Struct, frozen=True, kw_only=True):
    component: Component
    document: dict[str, Any]
    """What it finds in `config.json`."""
    is_main: bool = False
    tag: str = ""


class Programs:
    """Runs the programs in a data folder."""

    def __init__(
        self,
        context: JobContext,
        run_tokens: RunTokens,
        folder: DataFolder,
        programs: list[Program],
        run_context: RunContext,
        runtime: dict[str, Any],
        keep: KeepStage,
        begin_main: BeginMain,
    ) -> None:
        """`runtime` is what the configuration says of it; `keep` is called before each program, `begin_main` before
        the component itself."""
        self._context, self._run_tokens = context, run_tokens
        self._folder, self._programs, self._told = folder, programs, run_context
        self._timeout, self._keep, self._number = read_timeout(runtime), keep, 0
        self._begin_main = begin_main
        self._problem = ""
        self._stack, self._job, self._monitor = context.stack, context.job, context.monitor

    def run(self) -> list[Image]:
        """Raises ComponentFailed or ComponentBroken if one of them fails."""
        return run_images(self._programs, self._folder.path, self._run)

    def _run(self, program: Program) -> Image:
        component = developer.place_program(self._stack, program.component)
        program = msgspec.structs.replace(program, component=component)
        self._monitor.rename(str(component.folder or ""), CODE)
        self._folder.write_configuration(
            program.document, image_parameters=find_image_parameters(self._stack, component)
        )
        if component.digest:
            self._log_digest(program, component.digest)
        if program.is_main:
            self._begin_main()
        self._keep(str(self._number))
        self._number += 1
        seconds = self._limits(program).timeout_seconds
        with self._listening(component) as address, self._run_tokens.create(component, seconds) as token:
            told = msgspec.structs.replace(
                self._told,
                component=component.id,
                logger=address,
                forwarded=token,
                details=self._run_tokens.find_details(component),
            )
            ended = self._start_and_wait(program, told)
        for line in read_errors(self._monitor.clean(ended.errors)):
            self._monitor.add_unless_logged(line)
        self._read_status(program, ended)
        digest = component.digest or self._log_image(program)
        name = f"{component.image or component.id}:{program.tag or component.tag}"
        return Image(id=name, digests=[digest] if digest else [])

    def _log_digest(self, program: Program, digest: str) -> None:
        component = program.component
        name = f"{component.id} {program.tag or component.tag}"
        self._monitor.log("info", f"The program is that of {name} with the digest {digest}.")

    def _log_image(self, program: Program) -> str:
        """The digest of an image that is known by its tag: the engine knows it once it has run."""
        component = program.component
        if not component.image or not isinstance(self._context.get_launcher(component), ContainerLauncher):
            return ""
        digest = find_digest(find_image(component, program.tag))
        if digest:
            self._log_digest(program, digest)
        return digest

    @contextmanager
    def _listening(self, component: Component) -> Generator[tuple[str, int] | None]:
        if component.logging.type != "gelf":
            yield None
            return
        with gelf.Listener(component.logging.gelf_server_type, self._add_record(component), self._fail) as listener:
            yield listener.address
        if listener.problem:
            raise ComponentFailed(listener.problem)

    def _add_record(self, component: Component) -> Callable[[gelf.Record], None]:
        def add(record: gelf.Record) -> None:
            if line := gelf.to_line(record, component.logging.verbosity):
                self._monitor.add_line(line)

        return add

    def _fail(self, problem: str) -> None:
        """Does not interrupt the job: what the component wrote until then may still be wanted."""
        self._problem = problem

    def _start_and_wait(self, program: Program, context: RunContext) -> ProcessExit:
        launcher = self._context.get_launcher(program.component)
        clean = partial(self._monitor.redactor.clean_start, errors="replace")
        limits = self._limits(program)
        launch = make_launch(self._stack, program.component, self._folder.path, context, limits, program.tag)
        running = launcher.start(launch, self._monitor.add_output, clean)
        self._monitor.watch(running)
        while not (ended := running.wait(LOOK_SECONDS)):
            self._monitor.check()
            if self._problem:
                running.stop()
        self._monitor.check()
        return ended

    def _limits(self, program: Program) -> Limits:
        component = program.component
        size = SIZES.get(str(self._job.backend.get("containerType")), 1.0)
        return make_limits(self._stack, component, self._timeout or component.timeout_seconds, size)

    def _read_status(self, program: Program, ended: ProcessExit) -> None:
        component = program.component
        facts = Facts(
            name=component.image or component.id,
            limits=self._limits(program),
            last_error=self._monitor.last_error,
            no_application_errors=component.no_application_errors,
        )
        verdict = judge(ended, facts)
        if verdict.fault is Fault.USER:
            raise ComponentFailed(self._monitor.clean(verdict.message))
        if verdict.fault is Fault.APPLICATION:
            log.error("component broken", job_id=self._job.id, said=self._monitor.clean(verdict.internal))
            raise ComponentBroken(self._monitor.clean(verdict.message))


def list_programs(
    database: Database, caller: Caller, component: Component, document: dict[str, Any], tag: str | None
) -> list[Program]:
    """List programs in the order in which they run; raise for a processor that does not exist, or that the caller may
    not use."""
    processors = read_section(document, "processors", "container")
    main = Program(component=component, document=document, is_main=True, tag=tag or "")
    if not processors:
        return [main]
    with database.reading() as tx:
        before, after = (
            [_to_program(tx, caller, item) for item in read_list(processors, way, "container.processors")]
            for way in ("before", "after")
        )
    return [*before, main, *after]


def _to_program(tx: Transaction, caller: Caller, item: dict[str, Any]) -> Program:
    read_section(item, "definition", "container.processors")
    tag = get_tag(item)
    found = get_processor(tx, caller, get_name(item), tag)
    parameters = read_section(item, "parameters", "container.processors")
    return Program(component=found, document={"parameters": parameters}, tag=tag)


def read_timeout(runtime: dict[str, Any]) -> int:
    """The value that overrides that of the component; 0 if there is none."""
    given = runtime.get("process_timeout")
    text = str(given or 0)
    is_number = text.isascii() and text.isdecimal() and not isinstance(given, bool)
    if not is_number or len(text) > 9 or int(text) > MAX_SECONDS:
        raise BadConfiguration(
            f'"container.runtime.process_timeout" is a number of seconds, {MAX_SECONDS:,} (24 hours) at most.'
        )
    return int(text)
