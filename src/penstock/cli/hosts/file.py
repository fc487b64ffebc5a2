"""The hosts file: replaced atomically, keeping its mode and owner."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from penstock.foundation.errors import Forbidden, Invalid
from penstock.foundation.files import durable


class NotPermitted(Forbidden):
    """Nothing was changed; the message says what to do instead."""


class HostsFile:
    def __init__(self, path: Path) -> None:
        self.path = path
        # A link stays a link: its target is replaced.
        self._real = Path(os.path.realpath(path))

    def read(self) -> str:
        """Bytes that are not UTF-8 are preserved."""
        if not self._real.is_file():
            raise Invalid(f"There is no hosts file at {self.path}. Give another one: --file FILE")
        try:
            return self._real.read_bytes().decode("utf-8", "surrogateescape")
        except PermissionError as error:
            raise NotPermitted(f"{self.path} may not be read.") from error

    def write(self, text: str) -> None:
        """A reader sees the old file or the new one, never a part."""
        content = text.encode("utf-8", "surrogateescape")
        try:
            self._replace(content)
        except OSError as error:
            if error.errno not in (errno.EACCES, errno.EPERM, errno.EROFS):
                raise Invalid(f"{self.path} could not be written: {error.strerror or error}.") from error
            raise NotPermitted(f"{self.path} may not be changed by this user.") from error

    def _replace(self, content: bytes) -> None:
        # A read-only file is not changed, even where its folder would allow replacing it.
        self._real.open("ab").close()
        with self._copy() as copy:
            copy.write_bytes(content)
            durable.sync_path(copy)
            try:
                copy.replace(self._real)
            except OSError:
                # In a container the file is a mount: it cannot be replaced, only written.
                self._real.write_bytes(content)
        durable.sync_path(self._real)

    @contextmanager
    def _copy(self) -> Generator[Path]:
        """Make a copy next to the original, with its mode, owner and labels."""
        handle, name = tempfile.mkstemp(dir=self._real.parent, prefix=f".{self._real.name}-")
        os.close(handle)
        copy, status = Path(name), self._real.stat()
        try:
            shutil.copystat(self._real, copy)
            os.chown(copy, status.st_uid, status.st_gid)
            yield copy
        finally:
            with suppress(FileNotFoundError):
                copy.unlink()
