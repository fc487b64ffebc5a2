"""Where attempts are born: a process that has imported everything once and forks, since starting Python takes longer
than the runs that are killed here.

It reads a line of JSON for each attempt, and answers with two lines: the id of the process, and, when that has ended,
its exit code. One attempt at a time.
"""

from __future__ import annotations

import atexit
import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path

from tests.support.patience import PATIENCE
from tests.support.stacks import clean_environment

ROOT = Path(__file__).parents[3]
NEEDED = ("penstock.extractor.run", "penstock.extractor.config.document", "tests.e2e.resume.attempt")
KILLED = -signal.SIGKILL


class Newborn:
    """One attempt, alone in its group of processes."""

    def __init__(self, pid: int, read: Callable[[float], str], output: Path) -> None:
        self._pid, self._read, self._output = pid, read, output
        self._code: int | None = None

    def kill(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self._pid, signal.SIGKILL)

    def kill_after(self, seconds: float) -> None:
        self._code = self._ended(seconds)
        self.kill()

    def wait(self) -> int:
        """Its exit code: 0, or KILLED; anything else is a failure, and so is an attempt that does not end."""
        code = self._code if self._code is not None else self._ended(PATIENCE)
        assert code in (0, KILLED), f"{code}: {self._output.read_text(errors='replace')}"
        return code

    def _ended(self, seconds: float) -> int | None:
        line = self._read(seconds)
        return int(line) if line else None


class Nursery:
    def __init__(self) -> None:
        program = [sys.executable, "-m", "tests.e2e.resume.nursery"]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(program, cwd=ROOT, env=clean_environment(), stdin=pipe, stdout=pipe)
        atexit.register(self._process.communicate)

    def bear(self, arguments: list[str], output: Path) -> Newborn:
        stdin = self._process.stdin
        assert stdin
        stdin.write(json.dumps({"arguments": arguments, "output": str(output)}).encode() + b"\n")
        stdin.flush()
        return Newborn(int(self._read(PATIENCE)), self._read, output)

    def _read(self, seconds: float) -> str:
        """The next line, or nothing if there is none by then."""
        stdout = self._process.stdout
        assert stdout
        ready, _, _ = select.select([stdout], [], [], seconds)
        return stdout.readline().decode() if ready else ""


@cache
def nursery() -> Nursery:
    """One for all tests of a process."""
    return Nursery()


def serve() -> None:
    for line in sys.stdin:
        order = json.loads(line)
        pid = os.fork()
        if not pid:
            _live(order["arguments"], order["output"])
        with suppress(ProcessLookupError):
            os.setpgid(pid, pid)
        print(pid, flush=True)
        print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)


def _live(arguments: list[str], output: str) -> None:
    """In the new process: it never returns."""
    from tests.e2e.resume.attempt import attempt

    os.setpgid(0, 0)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 1)
    os.dup2(1, 2)
    moment, last, listing, *command = arguments
    code = attempt(int(moment), int(last), listing, command)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    for each in NEEDED:
        import_module(each)
    serve()
