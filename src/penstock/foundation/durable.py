"""Writing so that it survives a power cut: a file is synced, renamed into place, and its folder synced."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def write_file(path: Path, content: bytes, mode: int = 0o600) -> None:
    """Replace the file whole: a reader sees the old content or the new, never a part."""
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
    """Sync a file or a folder that somebody else wrote."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sync_tree(folder: Path) -> None:
    """Files and folders; a link or a pipe that somebody put there holds nothing of ours, and opening it may hang."""
    for path in sorted(folder.rglob("*"), reverse=True):
        if not path.is_symlink() and (path.is_file() or path.is_dir()):
            sync_path(path)
    sync_path(folder)
