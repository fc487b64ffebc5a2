"""The inside of a worker process: the loops that services declare, the delivery of events, and maintenance."""

from __future__ import annotations

import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from urllib.parse import urlsplit

import msgspec

from penstock.app import list_maintenance, list_reactions, list_services, open_from, outbound_policy
from penstock.foundation import logging
from penstock.foundation.errors import Invalid
from penstock.foundation.events import EventWorker
from penstock.foundation.jobs.background import Background, WorkerContext
from penstock.foundation.jobs.claims import worker_name
from penstock.foundation.jobs.maintenance import Maintenance
from penstock.foundation.logging import Log
from penstock.foundation.outbound import Policy
from penstock.foundation.stack import Stack, read_format
from penstock.server.running import read_running
from penstock.server.workers import GRACE_SECONDS
from penstock.settings import HTTPS_PORT, Settings, read_settings

log = Log("workers")

Loops = list[tuple[str, Background]]
"""Each with the id of the service whose jobs it claims; empty if it is for all services."""


def run_worker(settings: Settings, name: str, *, is_held: bool) -> int:
    """Run until a signal stops it. A worker that is held belongs to a stack, and ends with it."""
    os.umask(0o077)
    _check_folder(settings)
    logging.set_up(settings.folder / "logs" / f"{name}.log")
    stack = open_from(settings, Policy.from_environment() if is_held else _find_policy(settings))
    stack = msgspec.structs.replace(stack, notify_workers=stack.database.notify_workers)
    loops = make_loops(stack, worker_name(name), lambda: _find_storage_url(settings))
    stack.database.on_work(partial(wake_loops, loops))
    stopped = _listen_to_signals(loops, is_held=is_held)
    threads = {threading.Thread(target=_run_or_exit, args=(loop,), daemon=True): loop for _, loop in loops}
    for thread in threads:
        thread.start()
    stopped.get()
    _join(threads)
    stack.close()
    return 0


def run_held_worker(name: str) -> int:
    """Run a worker of a stack, which has set the environment."""
    return run_worker(read_settings({}), name, is_held=True)


def make_loops(stack: Stack, name: str, find_storage_url: Callable[[], str]) -> Loops:
    """Each has its own thread: a component may run for hours, and everything else continues."""
    context = WorkerContext(stack=stack, name=name, find_storage_url=find_storage_url)
    return [
        *((service.id, make(context)) for service in list_services() for make in service.workers),
        ("", EventWorker(stack.database, name, list_reactions(), stack.ballast.is_read_only)),
        ("", Maintenance(stack, list_maintenance())),
    ]


def wake_loops(loops: Loops, service_id: str) -> None:
    """Wake the loops of this service only: if all looked for work together, the one that has some would be delayed."""
    for owner, loop in loops:
        if owner == service_id:
            loop.wake()


def _listen_to_signals(loops: Loops, *, is_held: bool) -> queue.SimpleQueue[int]:
    """Gets an item when the process should end."""
    # A queue whose put() a signal handler may call at any point, unlike the set() of an Event.
    stopped = queue.SimpleQueue[int]()

    def stop(number: int, _frame: object) -> None:
        for _, loop in loops:
            loop.stop()
        stopped.put(number)

    signal.signal(signal.SIGTERM, stop)
    # Ctrl-C reaches the stack, which then stops its workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN if is_held else stop)
    if is_held:
        threading.Thread(target=_listen, args=(partial(wake_loops, loops),), daemon=True).start()
    return stopped


def _join(threads: dict[threading.Thread, Background]) -> None:
    """Wait for the threads that end by themselves first, then for the others, which have GRACE_SECONDS together."""
    for thread, loop in threads.items():
        if loop.drain_seconds is not None:
            thread.join()
    deadline = time.monotonic() + GRACE_SECONDS
    for thread in threads:
        thread.join(max(0.0, deadline - time.monotonic()))


def _check_folder(settings: Settings) -> None:
    """A worker adds to a stack and never makes one."""
    if not read_format(settings.folder):
        raise Invalid(f"There is no stack in {settings.folder}. Name its folder: penstock worker --data-dir DIR")


def _find_storage_url(settings: Settings) -> str:
    running = read_running(settings.folder)
    return running.storage_url if running else ""


def _find_policy(settings: Settings) -> Policy:
    """Return the policy of jobs by this machine's settings; the sample responds where the stack of this folder runs."""
    running = read_running(settings.folder)
    port = urlsplit(running.storage_url).port if running else None
    secure = urlsplit(running.https_storage_url or "") if running else None
    others = [secure.port or HTTPS_PORT] if secure and secure.hostname else []
    return outbound_policy(settings, f"127.0.0.1:{port or settings.port}", *others)


def _run_or_exit(loop: Background) -> None:
    """A worker that does half of its work is worse than none: the process exits, and the stack starts another one."""
    try:
        loop.run()
    except BaseException as error:
        log.error("loop of a worker failed", exception=error, loop=type(loop).__module__)
        os._exit(1)


def _listen(wake: Callable[[str], None]) -> None:
    """The stack holds the other end of our standard input: each line names a service that has work, and the end means
    that the stack is gone."""
    for line in sys.stdin:
        wake(line.rstrip("\n"))
    os._exit(1)
