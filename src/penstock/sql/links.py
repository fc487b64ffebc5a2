"""Links to the files of project tables, in the folder that the engine of a workspace can only read.

Files of tables never change, so a link is as good as a copy, and takes no time. Where the engine could write to them,
because it runs as the same user without a sandbox, they are copied.
"""

from __future__ import annotations

import os
import shutil
import stat
import time
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

from penstock.foundation.blobs.incoming import link_or_copy
from penstock.foundation.stack import Stack
from penstock.runtime.isolation import find_bubblewrap
from penstock.runtime.users import find_obstacle
from penstock.sql.folders import WorkspaceFolder

UNUSED_SECONDS = 3600.0
"""How long a file stays at least after its table has dropped it: a statement may still read it."""


class Links:
    """In one folder."""

    def __init__(self, folder: Path, stack: Stack) -> None:
        self._folder, sandbox = folder, stack.settings.sandbox
        self._is_root = not os.geteuid()
        is_wrapped = sandbox != "off" and find_bubblewrap() is not None
        runs_as_other = self._is_root and not find_obstacle(stack.folder, is_wrapped=is_wrapped)
        self._may_link = is_wrapped or runs_as_other

    def find(self, name: str) -> Path:
        """Return where a file of this name is, or would be."""
        return self._folder.resolve() / name

    def move(self, file: Path, target: Path) -> None:
        """Take over a file that was written for the workspace."""
        self._put(file, target)
        file.unlink()

    def add(self, file: Path) -> Path:
        """The file under its own name, which is unique."""
        target = self.find(file.name)
        if not self.renew(target):
            self._put(file, target)
        return target

    def renew(self, target: Path) -> bool:
        """Whether the file is there. A copy counts as used from now on; a link does while its table has the file."""
        try:
            if target.stat().st_nlink == 1:
                os.utime(target)
        except FileNotFoundError:
            return False
        return True

    def _put(self, file: Path, target: Path) -> None:
        new = target.with_name(f"{uuid4().hex}.new")
        (link_or_copy if self._may_link else shutil.copyfile)(file, new)
        if self._is_root:
            _let_others_read(new)
        new.replace(target)
        # Two names of one file: then the system leaves both.
        new.unlink(missing_ok=True)


def _let_others_read(file: Path) -> None:
    """The engine runs as another user. The folders around the file keep all others out."""
    mode = stat.S_IMODE(file.stat().st_mode)
    if not mode & stat.S_IROTH:
        file.chmod(mode | stat.S_IRGRP | stat.S_IROTH)


def remove_links(folder: WorkspaceFolder) -> None:
    """All of them, before an engine starts: statements make them again."""
    for entry in _list(folder):
        with suppress(OSError):
            Path(entry.path).unlink()


def remove_unused_links(folder: WorkspaceFolder, seconds: float) -> None:
    """Remove links whose tables have dropped the file, and copies that no statement used for so long. An engine may be
    running."""
    oldest = time.time() - seconds
    for entry in _list(folder):
        with suppress(OSError):
            known = entry.stat(follow_symlinks=False)
            # The time of the last change of the number of its names, or of the last use of a copy.
            if stat.S_ISREG(known.st_mode) and known.st_nlink == 1 and known.st_ctime < oldest:
                Path(entry.path).unlink()


def _list(folder: WorkspaceFolder) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder.tables) as entries:
            return list(entries)
    except FileNotFoundError:
        return []
