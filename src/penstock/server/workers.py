"""Worker processes: started with the stack, started again when they die, ended with it however it ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Protocol
from urllib.parse import urlsplit

import msgspec

from penstock.foundation import logging
from penstock.foundation.errors import Invalid
from penstock.foundation.jobs.claims import worker_name
from penstock.foundation.logging import Log
from penstock.foundation.outbound import Policy
from penstock.foundation.stack import read_format
from penstock.server.restarts import Restarts
from penstock.server.running import read_running
from penstock.server.sandbox import SandboxRule
from penstock.settings import HTTPS_PORT, Settings

log = Log("workers")

GRACE_SECONDS = 8.5
LOOK_SECONDS = 0.25


class Background(Protocol):
    """A loop in a worker process."""

    def run(self) -> None: ...
    def wake(self) -> None: ...
    def stop(self) -> None: ...


class Workers:
    """Looks after the worker processes of one stack."""

    def __init__(self, settings: Settings, outbound: Policy) -> None:
        self._settings, self._outbound = settings, outbound
        self._stopping = threading.Event()
        self._deadline = 0.0
        self._children: dict[str, subprocess.Popen[bytes]] = {}
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
        while not self._stopping.wait(LOOK_SECONDS):
            for name, child in list(self._children.items()):
                if (code := child.poll()) is not None and not self._stopping.is_set():
                    self._restarts.ended(name, code)
                    if self._restarts.may_start(name):
                        self._start_one(name)
            self._restarts.look()

    def _start_one(self, name: str) -> None:
        environment = {**os.environ, **self._settings.to_environment(), **self._outbound.to_environment()}
        # A session of its own: Ctrl-C reaches the stack, which then tells its workers.
        child = subprocess.Popen(
            [sys.executable, "-m", "penstock", "worker", "--name", name, "--held"],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )
        assert child.stdin
        os.set_blocking(child.stdin.fileno(), False)
        self._children[name] = child
        self._restarts.started(name)


def run_worker(settings: Settings, name: str, *, is_held: bool) -> int:
    """The inside of a worker process. One that is held belongs to a stack, and ends with it."""
    from penstock.app import MAINTENANCE, REACTIONS, open_from
    from penstock.foundation.events import EventWorker
    from penstock.foundation.jobs.maintenance import Maintenance
    from penstock.services.queue import worker as queue
    from penstock.services.storage import worker as storage

    os.umask(0o077)
    _check_folder(settings)
    logging.set_up(settings.folder / "logs" / f"{name}.log")
    stack = open_from(settings, Policy.from_environment() if is_held else _find_policy(settings))
    stack = msgspec.structs.replace(stack, notify_workers=stack.database.notify_workers)
    own_name = worker_name(name)
    rule = SandboxRule(setting=settings.sandbox, host=settings.host)
    launchers = queue.launchers(settings.launcher, rule, stack.database, settings.component_network)
    jobs = queue.Worker(stack, own_name, launchers, lambda: _find_storage_url(settings))
    # A component may run for hours; everything else goes on beside it.
    beside: list[Background] = [
        storage.Worker(stack, own_name),
        EventWorker(stack.database, own_name, REACTIONS, stack.ballast.is_read_only),
        Maintenance(stack, MAINTENANCE),
    ]
    for each in (jobs, *beside):
        stack.database.on_work(each.wake)
    _listen_to_signals([jobs, *beside], is_held=is_held)
    threads = [threading.Thread(target=_run_or_end, args=(each,), daemon=True) for each in beside]
    for thread in threads:
        thread.start()
    try:
        jobs.run()
    except Exception as error:
        log.error("the worker of Queue ended", exception=error)
        raise
    _join(threads)
    stack.close()
    return 0


def _listen_to_signals(loops: Sequence[Background], *, is_held: bool) -> None:
    def stop(_number: int, _frame: object) -> None:
        for loop in loops:
            loop.stop()

    signal.signal(signal.SIGTERM, stop)
    # Ctrl-C reaches the stack, which then stops its workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN if is_held else stop)
    if is_held:
        threading.Thread(target=_listen, args=([loop.wake for loop in loops],), daemon=True).start()


def _join(threads: Sequence[threading.Thread]) -> None:
    """All of them within one time."""
    deadline = time.monotonic() + GRACE_SECONDS
    for thread in threads:
        thread.join(max(0.0, deadline - time.monotonic()))


def _check_folder(settings: Settings) -> None:
    """A worker adds to a stack and never makes one."""
    if not read_format(settings.folder):
        raise Invalid(f"There is no stack in {settings.folder}. Name its folder: penstock worker --data-dir DIR")


def _find_storage_url(settings: Settings) -> str:
    """Where a program on this machine reaches Storage; nothing if the stack runs elsewhere."""
    running = read_running(settings.folder)
    return running.storage_url if running else ""


def _find_policy(settings: Settings) -> Policy:
    """What jobs may reach, by this machine's settings; the sample answers where the stack of this folder runs."""
    from penstock.app import outbound_policy

    running = read_running(settings.folder)
    port = urlsplit(running.storage_url).port if running else None
    secure = urlsplit(running.https_storage_url or "") if running else None
    others = [secure.port or HTTPS_PORT] if secure and secure.hostname else []
    return outbound_policy(settings, f"127.0.0.1:{port or settings.port}", *others)


def _run_or_end(loop: Background) -> None:
    """A worker that does half of its work is worse than none: the stack starts another one."""
    try:
        loop.run()
    except BaseException as error:
        log.error("a loop of the worker ended", exception=error, loop=type(loop).__module__)
        os._exit(1)


def _listen(wakes: Sequence[Callable[[], None]]) -> None:
    """The stack holds the other end of our standard input: a byte means work, its end that the stack is gone."""
    while os.read(sys.stdin.fileno(), 1024):
        for wake in wakes:
            wake()
    os._exit(1)
