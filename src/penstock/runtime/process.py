"""A program behind its guard: started with exactly the environment it is given, listened to, stopped when it must."""

from __future__ import annotations

import os
import socket
import struct
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

from penstock.runtime import guard
from penstock.runtime.launch import USUAL, Clean, Limits, ProcessExit, Reason, decode_start
from penstock.runtime.streams import Content, Tail, collect, listen

DRAIN_SECONDS = 5.0


class Process:
    """Runs until it ends by itself, passes a limit, or stop() is called. Every line that it writes on standard output
    goes to `on_line` as it comes."""

    def __init__(
        self,
        command: Sequence[str],
        folder: Path,
        environment: Mapping[str, str],
        on_line: Callable[[str], object],
        *,
        limits: Limits = USUAL,
        clean: Clean = decode_start,
        wrappers: int = 0,
        user: int = 0,
        descriptors: Sequence[int] = (),
        cleanup: Sequence[str] = (),
        tidy: Callable[[], object] = lambda: None,
        output_bytes: int = 0,
    ) -> None:
        """A wrapper is a process around the program that ends with it and is never asked to end by itself. The program
        becomes `user`, or its wrapper sees to that; it inherits the descriptors, which are closed here. `cleanup` is
        run by the guard once the program has ended, `tidy` here. With `output_bytes`, so much of its output is kept as
        it is, and nothing goes to `on_line`."""
        self._on_line, self._tidy = on_line, tidy
        self._output, self._errors = Tail(), Tail()
        self._content = Content(output_bytes)
        self._ended: ProcessExit | None = None
        self._line, theirs = socket.socketpair()
        try:
            self._child = _start_guard(
                [*_settings(limits, wrappers, user), "--", *cleanup, "--", *command],
                folder,
                environment,
                theirs,
                descriptors,
            )
        finally:
            theirs.close()
            for descriptor in descriptors:
                os.close(descriptor)
        assert self._child.stdout
        assert self._child.stderr
        stdout = self._child.stdout
        self._readers = [
            collect(stdout, self._content) if output_bytes else listen(stdout, clean, self._hear),
            listen(self._child.stderr, clean, self._errors.add),
        ]

    def wait(self, timeout: float | None = None) -> ProcessExit | None:
        """How it ended; None if it has not within the time."""
        if self._ended:
            return self._ended
        self._line.settimeout(None if timeout is None else max(timeout, 0.001))
        with suppress(TimeoutError):
            self._ended = self._end(self._read_reason())
        return self._ended

    def stop(self) -> None:
        """Ask it to end; after a moment it is ended, with everything that it started."""
        with suppress(OSError):
            self._line.send(b"stop")

    def _hear(self, line: str) -> None:
        self._output.add(line)
        self._on_line(line)

    def _read_reason(self) -> Reason:
        try:
            said = self._line.recv(100).decode("ascii", "replace")
        except ConnectionError:
            return Reason.NONE
        return Reason(said)

    def _end(self, reason: Reason) -> ProcessExit:
        code = self._child.wait()
        for reader in self._readers:
            # Not for ever: on some systems, what the component set free holds its output open after it has ended.
            reader.join(DRAIN_SECONDS)
        self._line.close()
        self._tidy()
        code = code if code >= 0 else 128 - code
        return ProcessExit(
            exit_code=code,
            errors=self._errors.text,
            output=self._output.text,
            reason=reason,
            content=self._content.bytes,
            is_cut=self._content.is_cut,
        )


def _start_guard(
    arguments: list[str],
    folder: Path,
    environment: Mapping[str, str],
    line: socket.socket,
    descriptors: Sequence[int],
) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-I", "-S", _find_guard(), *arguments],
        cwd=folder,
        env=environment,
        stdin=line.fileno(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        pass_fds=descriptors,
    )


@cache
def _find_guard() -> str:
    """As it was compiled for us, if that was kept and is not of an older source: a script is compiled at every start,
    which takes a quarter of it."""
    source, compiled = Path(guard.__file__), Path(guard.__cached__ or "")
    known = source.stat()
    # What Python itself compares: no flags, the time and the size of the source.
    fitting = struct.pack("<III", 0, int(known.st_mtime) & 0xFFFFFFFF, known.st_size & 0xFFFFFFFF)
    with suppress(OSError), compiled.open("rb") as file:
        if file.read(16)[4:] == fitting:
            return str(compiled)
    return str(source)


def _settings(limits: Limits, wrappers: int, user: int) -> list[str]:
    known = {
        "memory": limits.memory_megabytes,
        "timeout": limits.timeout_seconds,
        "processes": limits.processes,
        "files": limits.open_files,
        "file_megabytes": limits.file_megabytes,
        "disk": limits.disk_megabytes,
        "reserve": limits.reserve_megabytes,
        "entries": limits.entries,
        "grace": round(limits.grace_seconds * 1000),
        "niceness": limits.niceness,
        "wrappers": wrappers,
        "user": user,
    }
    return [f"{name}={value}" for name, value in known.items()]
