"""Starts the engine process of a workspace behind the sandbox of components, and writes down how it ended.

The process belongs to the one that started it, and ends with it; any process of the stack may use it meanwhile.
"""

from __future__ import annotations

import os
import shutil
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import msgspec

from penstock.foundation.files import locks
from penstock.foundation.logging import Log
from penstock.foundation.stack import Stack
from penstock.runtime.launch import Launch, ProcessExit, Reason
from penstock.runtime.launch import Limits as ProcessLimits
from penstock.runtime.launchers.local import SCRATCH, LocalLauncher
from penstock.runtime.process import Process
from penstock.runtime.sandboxing import SandboxRule
from penstock.runtime.users import NoOtherUser, choose_user
from penstock.sql import sockets
from penstock.sql.folders import WorkspaceFolder
from penstock.sql.links import remove_links
from penstock.sql.messages import Setup
from penstock.sql.models import Limits, Workspace

log = Log("sql")

NOT_INTERRUPTED = 3
"""The exit code of an engine that ended itself because of a statement."""
_UNEXPECTED = "it ended unexpectedly"
_NEVER = 1_000_000_000
_LOOK_SECONDS = 0.2
_PROCESSES, _OPEN_FILES = 32, 4096
_REASONS = {
    Reason.MEMORY: "it used more memory than the setting sql_memory_megabytes allows",
    Reason.DISK: "the workspace holds more than twice the setting sql_disk_megabytes",
    Reason.RESERVE: "the disk of the stack is nearly full",
    Reason.STOPPED: "it did not respond",
}


class Ended(msgspec.Struct, frozen=True):
    """How an engine process ended."""

    reason: str = ""
    errors: str = ""


class Started:
    """A process that this one has started, and a thread that waits for its end."""

    def __init__(self, process: Process, folder: WorkspaceFolder) -> None:
        self._process, self._folder = process, folder
        self._socket = _identify(folder.socket)
        self._thread = threading.Thread(target=self._supervise, daemon=True, name=f"sql-{folder.path.name}")
        self._thread.start()

    @property
    def is_running(self) -> bool:
        return self._thread.is_alive()

    def stop(self) -> None:
        self._process.stop()

    def wait(self, seconds: float) -> None:
        self._thread.join(seconds)

    def _supervise(self) -> None:
        while not (ended := self._process.wait(_LOOK_SECONDS)):
            if self._folder.stop.exists() or not self._folder.path.exists():
                self._process.stop()
        with suppress(OSError):  # the folder is removed
            _note(ended, self._folder)
            self._remove_socket()

    def _remove_socket(self) -> None:
        """Remove the socket, unless another engine was started in the meantime: the holder of the lock starts one, or
        removes the workspace."""
        held = locks.try_to_hold(self._folder.lock) if self._folder.lock.exists() else None
        if held:
            with held:
                if _identify(self._folder.socket) == self._socket:
                    self._folder.socket.unlink()


def _identify(file: Path) -> tuple[int, int]:
    known = file.stat()
    return known.st_ino, known.st_ctime_ns


def start_engine(stack: Stack, workspace: Workspace, folder: WorkspaceFolder, projects: Callable[[], int]) -> Started:
    """The caller holds the lock of the folder, and no other process of the workspace is running."""
    launcher = _choose_launcher(stack, projects)
    folder.make(_find_reader(workspace))
    for left in (folder.stop, folder.ended):
        left.unlink(missing_ok=True)
    for scratch in folder.data.glob(f"{SCRATCH}*"):
        shutil.rmtree(scratch, ignore_errors=True)
    remove_links(folder)
    listener = sockets.listen(folder.socket)
    try:
        process = launcher.start(_to_launch(stack, workspace, folder, os.dup(listener.fileno())), _log_line(workspace))
    except BaseException:
        # Also where a copy of it is still open: nobody must wait for an engine that does not come.
        listener.shutdown(2)
        raise
    finally:
        listener.close()
    return Started(process, folder)


def _find_reader(workspace: Workspace) -> int:
    """Return the user that the engine runs as; 0 where that is the stack's own."""
    with suppress(NoOtherUser):
        return choose_user(workspace.project_id)
    return 0


def _choose_launcher(stack: Stack, projects: Callable[[], int]) -> LocalLauncher:
    rule = SandboxRule(setting=stack.settings.sandbox, host=stack.settings.host)
    count = 1 if rule.setting else projects()
    return LocalLauncher(rule.find_mode(count), rule.find_reason(count))


def _to_launch(stack: Stack, workspace: Workspace, folder: WorkspaceFolder, listener: int) -> Launch:
    limits = Limits.of(stack.settings)
    setup = Setup(
        database=workspace.database,
        schema=workspace.schema,
        tables=str(folder.tables.resolve()),
        listener=listener,
        limits=limits,
    )
    return Launch(
        command=(sys.executable, "-I", "-m", "penstock.sql.process", msgspec.json.encode(setup).decode()),
        folder=folder.data,
        limits=ProcessLimits(
            memory_megabytes=limits.memory_megabytes,
            timeout_seconds=_NEVER,
            processes=_PROCESSES,
            open_files=_OPEN_FILES,
            # Twice the setting: the files of the database do not shrink at once when its tables are dropped, and an
            # engine that is ended at its start could drop nothing. Below that nothing refuses to write.
            disk_megabytes=2 * limits.disk_megabytes + limits.temp_megabytes,
            file_megabytes=0,
            reserve_megabytes=stack.settings.disk_reserve_megabytes,
            # People wait for it.
            niceness=stack.settings.component_niceness // 2,
        ),
        network="none",
        readable=(folder.tables.resolve(),),
        hidden=(stack.folder,),
        descriptors=(listener,),
        project_id=workspace.project_id,
    )


def _log_line(workspace: Workspace) -> Callable[[str], None]:
    return lambda line: log.info("engine", workspace_id=workspace.id, line=line)


def _note(ended: ProcessExit, folder: WorkspaceFolder) -> None:
    unexpected = "another statement could not be interrupted" if ended.exit_code == NOT_INTERRUPTED else _UNEXPECTED
    reason = _REASONS.get(ended.reason, "" if ended.exit_code == 0 else unexpected)
    if ended.errors.strip():
        log.warning("engine ended", folder=folder.path.name, reason=reason, errors=ended.errors)
    new = folder.ended.with_suffix(".new")
    new.write_bytes(msgspec.json.encode(Ended(reason, ended.errors)))
    new.replace(folder.ended)


def read_ended(folder: WorkspaceFolder, seconds: float = 0.0) -> Ended:
    """Waits that long for it to be written."""
    until = time.monotonic() + seconds
    while True:
        with suppress(OSError, msgspec.DecodeError):
            return msgspec.json.decode(folder.ended.read_bytes(), type=Ended)
        if time.monotonic() >= until:
            return Ended()
        time.sleep(_LOOK_SECONDS / 10)
