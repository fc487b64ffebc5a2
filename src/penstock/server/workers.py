"""Worker processes: started with the stack, started again when they die, ended with it however it ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

from penstock.foundation import logging
from penstock.foundation.claims import worker_name
from penstock.foundation.logging import Log
from penstock.foundation.outbound import Policy
from penstock.settings import Settings

log = Log("workers")

GRACE_SECONDS = 8.5
RESTART_SECONDS = 0.5


class Runs(Protocol):
    def run(self) -> None: ...


class Workers:
    """Looks after the worker processes of one stack."""

    def __init__(self, settings: Settings, outbound: Policy) -> None:
        self._settings, self._outbound = settings, outbound
        self._stopping = threading.Event()
        self._deadline = 0.0
        self._children: dict[str, subprocess.Popen[bytes]] = {}
        self._thread = threading.Thread(target=self._look_after, daemon=True)

    def start(self) -> None:
        for number in range(1, self._settings.workers + 1):
            self._start_one(f"worker-{number}")
        self._thread.start()

    def stop(self) -> None:
        """Ask them to end: each finishes its job, or gives it back when that takes too long."""
        if self._stopping.is_set():
            return
        self._stopping.set()
        self._deadline = time.monotonic() + GRACE_SECONDS
        for child in self._children.values():
            with suppress(ProcessLookupError):
                child.terminate()

    def wait(self) -> None:
        """Until the time is up that began with stop()."""
        for child in self._children.values():
            try:
                child.wait(max(0.1, self._deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                child.kill()

    def kill(self) -> None:
        self._stopping.set()
        for child in self._children.values():
            child.kill()

    def wake(self) -> None:
        """There is something to do. One that cannot be told looks for itself soon."""
        for child in list(self._children.values()):
            assert child.stdin
            with suppress(BrokenPipeError, BlockingIOError):
                os.write(child.stdin.fileno(), b"!")

    def _look_after(self) -> None:
        while not self._stopping.wait(RESTART_SECONDS):
            for name, child in list(self._children.items()):
                if child.poll() is not None and not self._stopping.is_set():
                    log.warning("worker ended; starting it again", worker=name, exit_code=child.returncode)
                    self._start_one(name)

    def _start_one(self, name: str) -> None:
        environment = {
            **os.environ,
            "PENSTOCK_DATA_DIR": str(self._settings.folder),
            "PENSTOCK_DOMAIN": self._settings.domain,
            **({"PENSTOCK_KEY_FILE": self._settings.key_file} if self._settings.key_file else {}),
            **self._outbound.to_environment(),
        }
        # A session of its own: Ctrl-C reaches the stack, which then tells its workers.
        child = subprocess.Popen(
            [sys.executable, "-m", "penstock", "worker", "--name", name],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )
        assert child.stdin
        os.set_blocking(child.stdin.fileno(), False)
        self._children[name] = child


def run_worker(settings: Settings, name: str) -> int:
    """The inside of a worker process."""
    from penstock.app import open_from
    from penstock.services.queue import worker as queue
    from penstock.services.storage import worker as storage

    os.umask(0o077)
    logging.set_up(settings.folder / "logs" / f"{name}.log")
    stack = open_from(settings, Policy.from_environment())
    own_name = worker_name(name)
    jobs, chores = queue.Worker(stack, own_name), storage.Worker(stack, own_name)

    def stop(_number: int, _frame: object) -> None:
        jobs.stop()
        chores.stop()

    threading.Thread(target=_listen, args=(chores.wake,), daemon=True).start()
    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # A component may run for hours; what Storage has to do goes on beside it.
    beside = threading.Thread(target=_run_or_end, args=(chores,), daemon=True)
    beside.start()
    jobs.run()
    beside.join(GRACE_SECONDS)
    stack.close()
    return 0


def _run_or_end(chores: Runs) -> None:
    """A worker that does half of its work is worse than none: the stack starts another one."""
    try:
        chores.run()
    except BaseException:
        log.error("the worker of Storage ended")
        os._exit(1)


def _listen(wake: Callable[[], None]) -> None:
    """The stack holds the other end of our standard input: a byte means work, its end that the stack is gone."""
    while os.read(sys.stdin.fileno(), 1024):
        wake()
    os._exit(1)
