"""Removes what a program left, whatever it is: deep, wide, locked, with links, sockets, pipes or mounts in it.

Nothing is raised. What cannot be removed stays, and the reason is returned.
"""

from __future__ import annotations

import errno
import fcntl
import os
import stat
import struct
import sys
from collections.abc import Callable
from pathlib import Path

from penstock.foundation.files.trees import Entry, walk

LEFTOVERS = "leftovers"
"""The subfolder of the data folder to which undeletable files are moved."""
PASSES = 2
"""The second pass finds what was added while the folder was emptied."""
_GET_FLAGS, _SET_FLAGS, _LOCKED = 0x80086601, 0x40086602, 0x10 | 0x20
"""Of Linux: how a file's flags are read and written, and the two that forbid its removal (`chattr +i`, `+a`)."""


def remove_tree(path: Path) -> str:
    """Remove a file, a link or a folder with everything in it; no link is followed, no mount is entered.

    Returns why something is left: `"name": Operation not permitted`. Nothing is left if that is empty.
    """
    left = ""
    for _ in range(PASSES):
        left = _Removal(path).run()
        if not left:
            return ""
    return left


class _Removal:
    def __init__(self, path: Path) -> None:
        self._path = path
        self._left = ""

    def run(self) -> str:
        try:
            found = os.lstat(self._path)
        except (FileNotFoundError, NotADirectoryError):
            return ""
        except OSError as error:
            return _describe(self._path.name, error)
        is_folder = stat.S_ISDIR(found.st_mode)
        if is_folder:
            for entry in walk(self._path, self._note, _remove_empty):
                self._remove(entry)
        self._try(os.rmdir if is_folder else os.unlink, str(self._path), None)
        return self._left

    def _remove(self, entry: Entry) -> None:
        self._try(os.rmdir if entry.is_folder else os.unlink, entry.name, entry.folder)

    def _try(self, remove: Callable[..., None], name: str, inside: int | None) -> None:
        try:
            remove(name, dir_fd=inside)
        except FileNotFoundError:
            pass
        except PermissionError:
            self._unlock_and_try(remove, name, inside)
        except OSError as error:
            self._note(name, error)

    def _unlock_and_try(self, remove: Callable[..., None], name: str, inside: int | None) -> None:
        if inside is not None:
            _clear_flags(inside)
        _clear_flags_of(name, inside)
        try:
            remove(name, dir_fd=inside)
        except OSError as error:
            self._note(name, error)

    def _note(self, name: str, error: OSError) -> None:
        """Record the first reason: that a folder is not empty only follows from it."""
        if not self._left and not isinstance(error, FileNotFoundError):
            self._left = _describe(name, error)


def _remove_empty(folder: int, name: str) -> bool:
    """Most folders of a job are empty: they need not be opened to be removed."""
    try:
        os.rmdir(name, dir_fd=folder)
    except OSError:
        return False
    return True


def _describe(name: str, error: OSError) -> str:
    reason = "it is in use, or something is mounted there" if error.errno == errno.EBUSY else error.strerror
    return f"{os.path.basename(name)[:200]!a}: {reason}"  # noqa: PTH119


def _clear_flags_of(name: str, inside: int | None) -> None:
    """Clear the flags of a file that can be opened without side effects."""
    try:
        mode = os.stat(name, dir_fd=inside, follow_symlinks=False).st_mode
        if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
            return
        handle = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=inside)
    except OSError:
        return
    try:
        _clear_flags(handle)
    finally:
        os.close(handle)


def _clear_flags(handle: int) -> None:
    """Clear the flags where they may be changed: on Linux by root, on file systems that support them."""
    if sys.platform != "linux":
        return
    try:
        flags: int = struct.unpack("I", fcntl.ioctl(handle, _GET_FLAGS, struct.pack("I", 0)))[0]
        if flags & _LOCKED:
            fcntl.ioctl(handle, _SET_FLAGS, struct.pack("I", flags & ~_LOCKED))
    except OSError:
        pass  # the removal that follows reports the error
