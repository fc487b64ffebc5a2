"""The engine processes of a stack's workspaces, as one process of the stack sees them."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime

from penstock.foundation import clock
from penstock.foundation.files import locks
from penstock.foundation.files.removal import remove_tree
from penstock.foundation.stack import Stack
from penstock.sql import sockets
from penstock.sql.clones import should_check_clones, unused_seconds
from penstock.sql.engine import Engine
from penstock.sql.errors import EngineUnavailable
from penstock.sql.folders import WorkspaceFolder, folder_of
from penstock.sql.links import remove_unused_links
from penstock.sql.messages import ConnectionLost, Stop, receive_hello, send
from penstock.sql.models import Limits, Workspace
from penstock.sql.starting import Started, read_ended, start_engine

START_SECONDS = 30.0
"""It takes a fraction of a second, but a busy machine takes longer."""
STOP_SECONDS = 10.0
_ATTEMPTS = 3


class Engines:
    """One for each process of a stack. Thread-safe. Those that it started end when it is closed."""

    def __init__(self, stack: Stack, count_projects: Callable[[], int] = lambda: 2) -> None:
        """How many projects the stack has decides whether a sandbox is required, where the settings do not."""
        self._stack, self._count_projects = stack, count_projects
        self._started: dict[int, Started] = {}
        self._guard = threading.Lock()

    def open(self, workspace: Workspace) -> Engine:
        """A connection to the engine of the workspace, which is started if it is not running."""
        engine = self._open(workspace)
        engine.mark_used()
        return engine

    def find_last_use(self, workspace: Workspace) -> datetime | None:
        """When it was last used; now, while its engine runs; None if it never was."""
        folder = folder_of(self._stack.folder, workspace.id)
        if _is_running(folder):
            return clock.now()
        for mark in (folder.used, folder.ended, folder.path):
            with suppress(FileNotFoundError):
                return datetime.fromtimestamp(mark.stat().st_mtime, UTC)
        return None

    def _open(self, workspace: Workspace) -> Engine:
        folder = folder_of(self._stack.folder, workspace.id)
        for _ in range(_ATTEMPTS):
            with suppress(OSError, ConnectionLost):
                return self._connect(workspace, folder)
            self._start(workspace, folder)
        raise EngineUnavailable(workspace.id, self._explain(folder))

    def remove(self, workspace: Workspace) -> None:
        """End the engine and remove the workspace's folder with everything in it."""
        folder = folder_of(self._stack.folder, workspace.id)
        with locks.exclusive(folder.lock):
            if folder.path.exists():
                self._stop(folder)
                remove_tree(folder.path)
        folder.lock.unlink(missing_ok=True)

    def remove_unused_files(self, workspace: Workspace) -> None:
        """Links to files that no table and no clone of the workspace has any more. Call it now and then."""
        folder = folder_of(self._stack.folder, workspace.id)
        remove_unused_links(folder, unused_seconds(Limits.of(self._stack.settings)))
        if should_check_clones(folder):
            with self._open(workspace) as engine:
                engine.remove_unused_clones()

    def close(self) -> None:
        with self._guard:
            started, self._started = list(self._started.values()), {}
        for process in started:
            process.stop()
        for process in started:
            process.wait(STOP_SECONDS)

    def _connect(self, workspace: Workspace, folder: WorkspaceFolder) -> Engine:
        line = _greet(folder)
        return Engine(self._stack, workspace, folder, line)

    def _start(self, workspace: Workspace, folder: WorkspaceFolder) -> None:
        folder.path.mkdir(parents=True, exist_ok=True, mode=0o700)
        with locks.exclusive(folder.lock):
            if _is_running(folder):
                return
            process = start_engine(self._stack, workspace, folder, self._count_projects)
        with self._guard:
            self._started = {number: each for number, each in self._started.items() if each.is_running}
            self._started[workspace.id] = process

    def _stop(self, folder: WorkspaceFolder) -> None:
        """Ask it to end; if it does not respond, whoever started it ends it."""
        with suppress(OSError, ConnectionLost), _greet(folder, seconds=1.0) as line:
            send(line, Stop())
            receive_hello(line)
        until = time.monotonic() + STOP_SECONDS
        with suppress(OSError):
            folder.stop.touch()
        while _is_running(folder) and time.monotonic() < until:
            time.sleep(0.02)

    def _explain(self, folder: WorkspaceFolder) -> str:
        ended = read_ended(folder)
        lines = [line for line in ended.errors.splitlines() if line.strip()]
        return self._stack.paths.hide(lines[-1] if lines else ended.reason or "it does not respond.")


def _greet(folder: WorkspaceFolder, seconds: float = START_SECONDS) -> socket.socket:
    line = sockets.connect(folder.socket, seconds)
    try:
        receive_hello(line)
    except BaseException:
        line.close()
        raise
    return line


def _is_running(folder: WorkspaceFolder) -> bool:
    try:
        sockets.connect(folder.socket, START_SECONDS).close()
    except OSError:
        return False
    return True
