"""Files that an engine has written for the stack."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from penstock.sql.errors import EngineStopped
from penstock.sql.folders import WorkspaceFolder


def take_file(folder: WorkspaceFolder, name: str) -> Path:
    """Move a file out of the engine's reach. Only then can it be trusted to be a file, and not a link to another."""
    target = folder.exports / name
    try:
        (folder.files / name).rename(target)
    except FileNotFoundError as error:
        raise EngineStopped("the file that it wrote is not there") from error
    known = target.lstat()
    if not stat.S_ISREG(known.st_mode) or known.st_nlink != 1:
        target.unlink()
        raise EngineStopped("it did not write a regular file")
    if known.st_uid != os.geteuid():
        os.chown(target, os.geteuid(), os.getegid(), follow_symlinks=False)
    return target
