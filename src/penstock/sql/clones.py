"""Links to the files of cloned tables: a folder for each clone, as long as a view of the workspace reads it.

Only the engine knows its views. So whoever cleans up asks it; if it is not running, at most once a day.
"""

from __future__ import annotations

import stat
import time
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

from penstock.foundation.files.removal import remove_tree
from penstock.sql.folders import WorkspaceFolder
from penstock.sql.links import UNUSED_SECONDS
from penstock.sql.models import Limits

CHECK_SECONDS = 24 * 3600.0
_UNUSED = "unused"
"""In the folder of a clone: since when no view reads it. A statement may still do."""


def new_clone(folder: WorkspaceFolder) -> Path:
    path = folder.clones / uuid4().hex
    path.mkdir()
    # The group is that of the folder around it.
    path.chmod(stat.S_IMODE(folder.clones.stat().st_mode))
    return path


def unused_seconds(limits: Limits) -> float:
    """How long what is unused stays: longer than any statement that still reads it."""
    return max(UNUSED_SECONDS, limits.statement_seconds * 1.1)


def should_check_clones(folder: WorkspaceFolder) -> bool:
    """Whether there are clones, and they were not checked for a day."""
    return bool(_list(folder)) and _age(folder.clones_checked) > CHECK_SECONDS


def remove_unused_clones(folder: WorkspaceFolder, used: set[str], seconds: float) -> None:
    """Remove those that were unused at an earlier check, so long ago."""
    for path in _list(folder):
        mark = path / _UNUSED
        if path.name in used:
            mark.unlink(missing_ok=True)
        elif not mark.exists():
            mark.touch()
        elif _age(mark) > seconds:
            remove_tree(path)
    folder.clones_checked.touch()


def _age(file: Path) -> float:
    """Return the age in seconds; endless if there is no file."""
    with suppress(FileNotFoundError):
        return time.time() - file.stat().st_mtime
    return float("inf")


def _list(folder: WorkspaceFolder) -> list[Path]:
    with suppress(FileNotFoundError):
        return [path for path in folder.clones.iterdir() if path.is_dir()]
    return []
