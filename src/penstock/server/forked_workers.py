"""Workers that are forks of the stack's process, made before it has threads, connections or a key.

Most of a worker's start is the import of the program, which the stack's process has done; a fork shares that memory,
too. It waits for its name and environment, and then is a worker like any other. Workers that are started later are not
forks: once the stack serves, it has threads, and a fork would inherit their locks.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from subprocess import TimeoutExpired
from typing import IO, NoReturn, Protocol

from penstock.foundation.logging import Log
from penstock.foundation.structs import prepare_structs

log = Log("workers")

POLL_SECONDS = 0.02
STDIN, STDOUT = 0, 1


class Child(Protocol):
    """What a fork and a `subprocess.Popen` have in common."""

    @property
    def stdin(self) -> IO[bytes] | None: ...
    def poll(self) -> int | None: ...
    def wait(self, timeout: float | None = None) -> int: ...
    def terminate(self) -> None: ...
    def kill(self) -> None: ...


def fork_workers(count: int, run: Callable[[str], int]) -> list[ForkedWorker]:
    """Make workers that call `run` with their names; none where a fork is not safe: on macOS, whose libraries may not
    work after one, and where a second thread may hold a lock."""
    if sys.platform != "linux" or threading.active_count() > 1:
        return []
    _open_standard_streams()
    prepare_structs()
    workers: list[ForkedWorker] = []
    for _ in range(count):
        workers.append(ForkedWorker(run, workers))
    return workers


class ForkedWorker:
    def __init__(self, run: Callable[[str], int], others: list[ForkedWorker]) -> None:
        reading, writing = os.pipe()
        self.pid = os.fork()
        if not self.pid:
            _become(run, reading, [writing, *(other.stdin.fileno() for other in others)])
        os.close(reading)
        self.stdin: IO[bytes] = os.fdopen(writing, "wb", buffering=0)
        self._exit_code: int | None = None

    def begin(self, name: str, environment: dict[str, str]) -> None:
        """Tell it what to be. If it was killed in the meantime, poll() shows it."""
        with suppress(BrokenPipeError):
            self.stdin.write(json.dumps([name, environment]).encode() + b"\n")

    def poll(self) -> int | None:
        if self._exit_code is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            self._exit_code = os.waitstatus_to_exitcode(status) if pid else None
        return self._exit_code

    def wait(self, timeout: float | None = None) -> int:
        deadline = None if timeout is None else time.monotonic() + timeout
        while (code := self.poll()) is None:
            if deadline is not None and time.monotonic() > deadline:
                raise TimeoutExpired("worker", timeout or 0)
            time.sleep(POLL_SECONDS)
        return code

    def terminate(self) -> None:
        self._send(signal.SIGTERM)

    def kill(self) -> None:
        self._send(signal.SIGKILL)

    def _send(self, number: signal.Signals) -> None:
        """Send the signal, except to a process that has ended: another one may have its id."""
        if self.poll() is None:
            os.kill(self.pid, number)


def _open_standard_streams() -> None:
    """Open those that are closed, or a pipe would get the number of one."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)


def _become(run: Callable[[str], int], reading: int, others: list[int]) -> NoReturn:
    """Run in the fork, which never returns to the stack's code."""
    code = 1
    try:
        code = _wait_and_run(run, reading, others)
    except BaseException as error:
        log.error("worker failed", exception=error)
    finally:
        os._exit(code)


def _wait_and_run(run: Callable[[str], int], reading: int, others: list[int]) -> int:
    # A separate session: Ctrl-C reaches the stack, which then tells its workers.
    os.setsid()
    # An end of a pipe that stays open here would keep another worker alive when the stack is gone.
    for descriptor in others:
        os.close(descriptor)
    os.dup2(reading, STDIN)
    os.close(reading)
    os.dup2(os.open(os.devnull, os.O_WRONLY), STDOUT)
    sys.stdin = open(STDIN, closefd=False)  # noqa: SIM115 - a descriptor, for the rest of the process
    line = sys.stdin.readline()
    if not line:
        return 0  # the stack did not start
    name, environment = json.loads(line)
    os.environ.update(environment)
    with suppress(OSError):
        Path("/proc/self/comm").write_text(f"penstock {name}")
    return run(name)
