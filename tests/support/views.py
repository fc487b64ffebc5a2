"""Runs Python as root or as an ordinary user, in a view of this machine in which both reach the interpreter.

As root, a test can be any user. But the interpreter may lie in root's home, which nobody else may enter: it is covered,
in a mount namespace of the test's own, by an empty folder in which only the interpreter can be seen.
"""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

NOBODY = 65_534
ROOT = Path(__file__).parents[2]

_COVER = """
set -e
user=$1 closed=$2 open=$3; shift 3
if [ -n "$closed" ]; then
    exec 9< "$open"
    mount -t tmpfs -o mode=755 tmpfs "$closed"
    mkdir -p -m 755 "$open"
    mount --no-canonicalize --bind /proc/self/fd/9 "$open"
    exec 9<&-
fi
[ "$user" = 0 ] && exec "$@"
exec setpriv --reuid "$user" --regid "$user" --clear-groups "$@"
"""


def users() -> list[object]:
    """Parameters of a test: the users that it can be run as here."""
    is_able = os.geteuid() == 0 and all(map(shutil.which, ("unshare", "setpriv", "mount")))
    reason = "only root, with util-linux, can choose who runs a test"
    root = pytest.param(0, id="root", marks=[] if is_able else pytest.mark.skip(reason=reason))
    other = pytest.param(NOBODY if is_able else os.geteuid(), id="user")
    return [root, other]


def run_python(
    user: int, script: str, *arguments: object, python: str = sys.executable
) -> subprocess.CompletedProcess[str]:
    """The script, as this user."""
    command = as_user(user, python, "-c", script, *map(str, arguments))
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, cwd=ROOT)


def as_user(user: int, *command: str) -> list[str]:
    """The command that runs this one as that user."""
    if os.geteuid() != 0:
        return list(command)
    closed, opened = _find_closed(Path(sys.executable).resolve())
    return ["unshare", "--mount", "sh", "-c", _COVER, "sh", str(user), closed, opened, *command]


def open_to_all(path: Path) -> None:
    """Let other users pass through the folders that pytest makes for one alone."""
    for folder in (path, *path.parents):
        if folder.stat().st_uid == os.geteuid() and not folder.stat().st_mode & stat.S_IXOTH:
            folder.chmod(folder.stat().st_mode | stat.S_IXOTH)


def give_all(folder: Path, user: int) -> None:
    if os.geteuid() == 0:
        for path in (folder, *folder.rglob("*")):
            os.chown(path, user, user)


def _find_closed(program: Path) -> tuple[str, str]:
    """The folder on the way to a program that other users may not enter, and the one below it that they need."""
    for folder in reversed(program.parents):
        if not folder.stat().st_mode & stat.S_IXOTH:
            return str(folder), str(folder / program.relative_to(folder).parts[0])
    return "", ""
