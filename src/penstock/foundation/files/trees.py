"""Walks a folder that a program filled, without trusting anything in it.

There is no recursion and no full path: each folder is opened by its name relative to its parent, so neither the depth
of a tree nor the length of its paths matters, and one descriptor is open at a time. The way up is `..`, compared with
the folder that the way down came from. Links are never followed, and mounts are not entered.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import msgspec

_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_OWNER = 0o700
_MAX_INFORMATION = 4096

Refuse = Callable[[str, OSError], None]
"""Called with the name of an entry that cannot be entered or read, and the reason."""


class Entry(NamedTuple):
    folder: int
    """A descriptor of its folder; valid until the next entry."""
    name: str
    is_folder: bool
    """A folder comes after everything in it; a link to one is not a folder."""


class _Level(msgspec.Struct):
    name: str
    identity: tuple[int, int]
    folders: list[str] = []
    """Its subfolders that are not walked yet."""


class Moved(OSError):
    def __init__(self) -> None:
        super().__init__(errno.ESTALE, "the folder was moved while it was walked")


class Mounted(OSError):
    def __init__(self) -> None:
        super().__init__(errno.EBUSY, "another file system is mounted there")


Skip = Callable[[int, str], bool]
"""Called with a folder's parent and name before it is entered; what it accepts is neither entered nor listed."""


def _skip_nothing(_folder: int, _name: str) -> bool:
    return False


def _leave_out(_name: str, _error: OSError) -> None:
    """Do nothing: for callers that ignore unreadable entries."""


def walk(top: Path, refuse: Refuse = _leave_out, skip: Skip = _skip_nothing) -> Generator[Entry]:
    """Everything below a folder; nothing if it does not exist. Folders get back their owner's permissions if a program
    removed them. Entries may be removed during the walk."""
    handle = -1
    try:
        handle = _open(top, None)
        mount = _find_mount(handle)
        levels = [_Level("", _identify(handle))]
        yield from _list(handle, levels[-1])
        while levels:
            if folders := levels[-1].folders:
                name = folders.pop()
                if skip(handle, name):
                    continue
                if (inner := _enter(handle, name, mount, refuse)) < 0:
                    yield Entry(handle, name, is_folder=True)
                    continue
                handle = _replace(handle, inner)
                levels.append(_Level(name, _identify(handle)))
                yield from _list(handle, levels[-1])
            else:
                name = levels.pop().name
                if levels:
                    handle = _replace(handle, _go_up(handle, levels[-1].identity))
                    yield Entry(handle, name, is_folder=True)
    except OSError as error:
        refuse(top.name, error)
    finally:
        if handle >= 0:
            os.close(handle)


def list_files(top: Path) -> Iterator[Path]:
    """Regular files below a folder, by paths that a program can open; deeper ones are left out."""
    folders = [top]
    while folders:
        with suppress(OSError), os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    folders.append(Path(entry.path))
                elif entry.is_file(follow_symlinks=False):
                    yield Path(entry.path)


def _list(handle: int, level: _Level) -> Generator[Entry]:
    """Entries that are not folders, lazily: a folder may have millions."""
    with os.scandir(handle) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                level.folders.append(entry.name)
            else:
                yield Entry(handle, entry.name, is_folder=False)


def _enter(handle: int, name: str, mount: tuple[int, int], refuse: Refuse) -> int:
    """A descriptor, or -1."""
    inner = -1
    try:
        inner = _open(name, handle)
        if _find_mount(inner) != mount:
            raise Mounted
        return inner
    except OSError as error:
        if inner >= 0:
            os.close(inner)
        refuse(name, error)
    return -1


def _open(name: str | Path, inside: int | None) -> int:
    try:
        handle = os.open(name, _FLAGS, dir_fd=inside)
    except PermissionError as error:
        try:
            os.chmod(name, _OWNER, dir_fd=inside, follow_symlinks=False)
        except NotImplementedError:  # not every system can leave a link in the folder's place alone
            raise error from None
        return os.open(name, _FLAGS, dir_fd=inside)
    try:
        if os.fstat(handle).st_mode & _OWNER != _OWNER:
            os.fchmod(handle, _OWNER)
    except OSError:
        pass  # later operations in it report the error
    return handle


def _go_up(handle: int, identity: tuple[int, int]) -> int:
    above = os.open("..", _FLAGS, dir_fd=handle)
    if _identify(above) != identity:
        os.close(above)
        raise Moved
    return above


def _replace(old: int, new: int) -> int:
    os.close(old)
    return new


def _identify(handle: int) -> tuple[int, int]:
    found = os.fstat(handle)
    return found.st_dev, found.st_ino


def _find_mount(handle: int) -> tuple[int, int]:
    """The device and, where available, the mount: a folder of the same device can be mounted too."""
    device = os.fstat(handle).st_dev
    try:
        information = os.open(f"/proc/self/fdinfo/{handle}", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return device, 0
    try:
        _, _, mount = os.read(information, _MAX_INFORMATION).partition(b"mnt_id:")
        return device, int(mount.split(maxsplit=1)[0]) if mount else 0
    finally:
        os.close(information)
