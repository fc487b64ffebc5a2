"""A program behind its guard: started with exactly the environment it is given, listened to, stopped when it must."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from penstock.runtime.guards import start_guard
from penstock.runtime.launch import DEFAULT_LIMITS, Clean, Limits, ProcessExit, Reason, decode_start
from penstock.runtime.streams import Content, Tail, collect, listen

DRAIN_SECONDS = 5.0
KILLED = 137
"""The exit code of a program that was ended by SIGKILL."""


class Process:
    """Runs until it ends, passes a limit, or stop() is called. Every line that it writes on standard output
    goes to `on_line` as it comes."""

    def __init__(
        self,
        command: Sequence[str],
        folder: Path,
        environment: Mapping[str, str],
        on_line: Callable[[str], object],
        *,
        limits: Limits = DEFAULT_LIMITS,
        clean: Clean = decode_start,
        wrappers: int = 0,
        user: int = 0,
        descriptors: Sequence[int] = (),
        cleanup: Sequence[str] = (),
        tidy: Callable[[], object] = lambda: None,
        output_bytes: int = 0,
    ) -> None:
        """A wrapper is a process around the program that ends with it and is never asked to end alone. The program
        becomes `user`, or its wrapper sees to that; it inherits the descriptors, which are closed here. `cleanup` is
        run by the guard once the program has ended, `tidy` here. With `output_bytes`, so much of its output is kept as
        it is, and nothing goes to `on_line`."""
        self._on_line, self._tidy = on_line, tidy
        self._output, self._errors = Tail(), Tail()
        self._content = Content(output_bytes)
        self._ended: ProcessExit | None = None
        self._line, child_end = socket.socketpair()
        output, errors = os.pipe(), os.pipe()
        inherited = (child_end.detach(), output[1], errors[1])
        try:
            arguments = [*_settings(limits, wrappers, user), "--", *cleanup, "--", *command]
            start_guard(arguments, folder, environment, inherited, descriptors)
        finally:
            for descriptor in (*inherited, *descriptors):
                os.close(descriptor)
        stdout, stderr = (os.fdopen(reading, "rb") for reading in (output[0], errors[0]))
        self._readers = [
            collect(stdout, self._content) if output_bytes else listen(stdout, clean, self._hear),
            listen(stderr, clean, self._errors.add),
        ]

    def wait(self, timeout: float | None = None) -> ProcessExit | None:
        """Return how it ended; None if it has not within the time."""
        if self._ended:
            return self._ended
        self._line.settimeout(None if timeout is None else max(timeout, 0.001))
        with suppress(TimeoutError):
            self._ended = self._end(*self._read_end())
        return self._ended

    def stop(self) -> None:
        """Ask it to end; after a moment it is ended, with everything that it started."""
        with suppress(OSError):
            self._line.send(b"stop")

    def _hear(self, line: str) -> None:
        self._output.add(line)
        self._on_line(line)

    def _read_end(self) -> tuple[int, Reason]:
        """Read the exit code and the reason; a guard that was killed has told neither."""
        try:
            code, _, reason = self._line.recv(100).decode("ascii", "replace").partition(" ")
        except ConnectionError:
            return KILLED, Reason.NONE
        return (int(code), Reason(reason)) if code else (KILLED, Reason.NONE)

    def _wait_for_guard(self) -> None:
        """Wait until it has closed its end: after that nothing of it is in the folder."""
        self._line.settimeout(DRAIN_SECONDS)
        with suppress(OSError):
            while self._line.recv(1):
                pass

    def _end(self, code: int, reason: Reason) -> ProcessExit:
        self._wait_for_guard()
        for reader in self._readers:
            # Not forever: on some systems, what the component set free holds its output open after it has ended.
            reader.join(DRAIN_SECONDS)
        self._line.close()
        self._tidy()
        return ProcessExit(
            exit_code=code,
            errors=self._errors.text,
            output=self._output.text,
            reason=reason,
            content=self._content.bytes,
            is_cut=self._content.is_cut,
        )


def _settings(limits: Limits, wrappers: int, user: int) -> list[str]:
    settings = {
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
    return [f"{name}={value}" for name, value in settings.items()]
