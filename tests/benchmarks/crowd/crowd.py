"""A stack, its projects and their clients, and one noisy pattern after another."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from penstock.services.storage import interface as storage
from penstock.services.storage.interface import NewEvent
from tests.benchmarks.crowd.phases import Memory, Outcome, Phase
from tests.e2e.soak.calls import Call
from tests.e2e.soak.programs import finish, start, tell, wait_until_ready
from tests.support.processes import children_of
from tests.support.public_rows import list_public
from tests.support.stacks import ALL_THREADS, RunningStack, ServicesOnly
from tests.unit.services.fill import add_project, first_project

QUIET, NOISY = 0.4, 0.9
"""When the pattern begins and ends, as parts of its time; the rest is for what it leaves behind."""
QUERIES_EVERY = 5
"""Every so many projects have a workspace: each is a process."""
EVENTS = 5_000
PAGE_BYTES = 4096


class Size(msgspec.Struct, frozen=True):
    projects: int
    clients: int
    """Of each project."""
    processes: int
    """That have these clients."""
    pause: float
    """Seconds between the rounds of a client."""


class Crowd:
    def __init__(self, stack: RunningStack, tokens: list[str], hostile: str, size: Size) -> None:
        self.stack, self._tokens, self._hostile, self._size = stack, tokens, hostile, size

    def run(self, patterns: Sequence[str], seconds: float) -> list[Outcome]:
        """Each pattern takes so many seconds, with the quiet ones before."""
        honest = [self._start_honest(part) for part in self._parts()]
        for process in honest:
            wait_until_ready(process)
        for process in honest:
            tell(process, "begin")
        time.sleep(self._size.pause)
        measured = list(self._attack(patterns, seconds))
        for process in honest:
            tell(process, "end")
        reports = [finish(process, self._size.pause) for process in honest]
        calls = [Call(*call) for report in reports for client in report for call in client["calls"]]
        unfinished = [each for report in reports for client in report for each in client["unfinished"]]
        assert not unfinished, unfinished[:10]
        return [
            Outcome(phase.name, phase.quiet(calls), phase.noisy(calls), responses, memory)
            for phase, responses, memory in measured
        ]

    def list_logged_exceptions(self) -> list[str]:
        """What went wrong in the processes of the stack so far and has no message of its own."""
        lines = [line for log in self.stack.folder.glob("logs/*.log") for line in log.read_text().splitlines()]
        return [line for line in lines if '"traceback":' in line]

    def _attack(self, patterns: Sequence[str], seconds: float) -> Iterator[tuple[Phase, dict[str, int], Memory]]:
        for pattern in patterns:
            begin = time.monotonic()
            phase = Phase(pattern, begin, begin + QUIET * seconds, begin + seconds)
            _sleep_until(phase.attack)
            process = self._start_hostile(pattern, (NOISY - QUIET) * seconds)
            _sleep_until(phase.end)
            responses = finish(process, seconds)
            memory = read_memory(self.stack)
            print(f"{pattern}: {memory.server // 1_000_000} MB, {responses}", file=sys.stderr, flush=True)
            yield phase, responses, memory

    def _parts(self) -> list[list[str]]:
        return [self._tokens[number :: self._size.processes] for number in range(self._size.processes)]

    def _start_honest(self, tokens: list[str]) -> subprocess.Popen[str]:
        more: dict[str, Any] = {"clients": self._size.clients, "pause": self._size.pause}
        return start(self.stack, "honest", None, tokens, queryTokens=self._tokens[::QUERIES_EVERY], **more)

    def _start_hostile(self, pattern: str, seconds: float) -> subprocess.Popen[str]:
        more: dict[str, Any] = {"pattern": pattern, "publicRows": list_public(), "bombMembers": 100}
        return start(self.stack, "noise", seconds, [self._hostile], **more)


def read_memory(stack: RunningStack) -> Memory:
    server = stack.process.pid
    return Memory(_resident(server), sum(_resident(each) for each in (server, *_descendants(server))))


def _descendants(process: int) -> Iterator[int]:
    for child in children_of(process):
        yield child
        yield from _descendants(child)


def _resident(process: int) -> int:
    try:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * PAGE_BYTES
    except (FileNotFoundError, ProcessLookupError):
        return 0


def _sleep_until(moment: float) -> None:
    time.sleep(max(0.0, moment - time.monotonic()))


@contextmanager
def open_crowd(folder: Path, size: Size) -> Generator[Crowd]:
    services = ServicesOnly(folder)
    tokens = [add_project(services, f"Project {number}").token for number in range(size.projects)]
    hostile = first_project(services)
    with services.stack.database.writing() as tx:
        # For the longest lists that there are.
        storage.add_events(tx, hostile.caller, [NewEvent(message="x", component="ex-generic-v2")] * EVENTS)
    services.close()
    flags = ("--https", "--https-port", "0", "--sql-port", "0")
    stack = RunningStack(folder, *flags, variables=ALL_THREADS)
    try:
        yield Crowd(stack, tokens, hostile.token, size)
    finally:
        stack.stop()
