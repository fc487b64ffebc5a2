"""Durable writes, which survive a power failure: a file is synced, renamed into place, and its folder synced."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path

from penstock.foundation.files.trees import Entry, walk


def write_file(path: Path, content: bytes, mode: int = 0o600) -> None:
    """Replace the file atomically: a reader sees the old content or the new, never a part."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(mode)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    sync_path(path.parent)


def sync_path(path: Path) -> None:
    """Sync a file or a folder that another process wrote."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sync_tree(folder: Path) -> None:
    """Sync files and folders; links and pipes are skipped: they contain no data of ours, and opening one may hang."""
    for entry in walk(folder):
        _sync_entry(entry)
    sync_path(folder)


def _sync_entry(entry: Entry) -> None:
    mode = os.stat(entry.name, dir_fd=entry.folder, follow_symlinks=False).st_mode
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        return
    try:
        handle = os.open(entry.name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=entry.folder)
    except PermissionError:
        return  # an error is reported when it is read
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
