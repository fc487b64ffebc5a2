"""Receives the body of a response: in memory while it is small, in a file when it grows."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from penstock.extractor.base.errors import UserError

THRESHOLD = 4 << 20
_BUFFER = 1 << 20


class Spill:
    """Receives a body chunk by chunk. `discard` resets it for the next attempt."""

    def __init__(self, path: Path, threshold: int = THRESHOLD) -> None:
        """A body of more than `threshold` bytes goes to a file at `path`, readable only by this user."""
        self._path, self._threshold = path, threshold
        self._chunks: list[bytes] = []
        self._file: BinaryIO | None = None
        self._is_spilled = False
        self.size = 0

    def write(self, chunk: bytes) -> None:
        self.size += len(chunk)
        self._chunks.append(chunk)
        if self._is_spilled or self.size > self._threshold:
            self._spill()

    @property
    def body(self) -> bytes:
        """Returns the whole body if it stayed small; empty if it is in the file."""
        if len(self._chunks) > 1:
            self._chunks = [b"".join(self._chunks)]
        return self._chunks[0] if self._chunks else b""

    @property
    def path(self) -> Path | None:
        """Returns the file, if the body did not stay small."""
        return self._path if self._is_spilled else None

    def close(self) -> None:
        """The body is complete; from now on the file can be read."""
        file, self._file = self._file, None
        if file is not None:
            try:
                file.close()
            except OSError as error:
                raise self._full(error) from error

    def discard(self) -> None:
        """Drops the body and deletes the file."""
        file, self._file = self._file, None
        if file is not None:
            with suppress(OSError):  # the file is deleted anyway
                file.close()
        if self._is_spilled:
            self._path.unlink(missing_ok=True)
        self._chunks, self._is_spilled, self.size = [], False, 0

    def _spill(self) -> None:
        try:
            file = self._file or self._open()
            file.writelines(self._chunks)
        except OSError as error:
            raise self._full(error) from error
        self._chunks.clear()

    def _open(self) -> BinaryIO:
        # A file left by a killed run may be readable by other users: never write into it.
        self._path.unlink(missing_ok=True)
        handle = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        self._file, self._is_spilled = os.fdopen(handle, "wb", buffering=_BUFFER), True
        return self._file

    def _full(self, error: OSError) -> UserError:
        return UserError(
            f"A response of more than {self._threshold:,} bytes cannot be stored in {self._path}: "
            f"{error.strerror or error}. Free some space there, or ask for smaller pages."
        )
