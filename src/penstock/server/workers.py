"""Worker processes: started with the stack, started again when they die, ended with it however it ends."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from contextlib import suppress

from penstock.foundation.outbound import Policy
from penstock.server.forked_workers import Child, ForkedWorker
from penstock.server.restarts import Restarts
from penstock.settings import Settings

GRACE_SECONDS = 8.5
LOOK_SECONDS = 0.25


class Workers:
    """Looks after the worker processes of one stack."""

    def __init__(self, settings: Settings, outbound: Policy, forks: list[ForkedWorker]) -> None:
        """`forks` wait to become the first workers; others are started as needed."""
        self._settings, self._outbound, self._forks = settings, outbound, forks
        self._stopping = threading.Event()
        self._deadline = 0.0
        self._children: dict[str, Child] = {}
        self._restarts = Restarts(settings.folder)
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
        """Wait until the time is up that began with stop()."""
        for child in self._children.values():
            try:
                child.wait(max(0.1, self._deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                child.kill()

    def kill(self) -> None:
        self._stopping.set()
        for child in self._children.values():
            child.kill()

    def wake(self, service_id: str) -> None:
        """There is a job of the service to claim. A worker that cannot be told looks for itself soon."""
        for child in list(self._children.values()):
            assert child.stdin
            with suppress(BrokenPipeError, BlockingIOError):
                os.write(child.stdin.fileno(), f"{service_id}\n".encode())

    def _look_after(self) -> None:
        while not self._stopping.wait(LOOK_SECONDS):
            for name, child in list(self._children.items()):
                if (code := child.poll()) is not None and not self._stopping.is_set():
                    self._restarts.ended(name, code)
                    if self._restarts.may_start(name):
                        self._start_one(name)
            self._restarts.look()

    def _start_one(self, name: str) -> None:
        environment = {**self._settings.to_environment(), **self._outbound.to_environment()}
        child = self._forks.pop() if self._forks else _start_process(name, environment)
        if isinstance(child, ForkedWorker):
            child.begin(name, environment)
        assert child.stdin
        os.set_blocking(child.stdin.fileno(), False)
        self._children[name] = child
        self._restarts.started(name)


def _start_process(name: str, environment: dict[str, str]) -> subprocess.Popen[bytes]:
    # A separate session: Ctrl-C reaches the stack, which then tells its workers.
    return subprocess.Popen(
        [sys.executable, "-m", "penstock", "worker", "--name", name, "--held"],
        env={**os.environ, **environment},
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    )
