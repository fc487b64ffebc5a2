"""The user that components run as where the stack runs as root: another one for each project, where that is possible.

The numbers are of a range that distributions leave unused, and below 65,536, so that containers with users of their own
have them too. A project's programs share one: they share a package cache.
"""

from __future__ import annotations

import os
import stat
import sys
from contextlib import suppress
from pathlib import Path

import penstock
from penstock.foundation.errors import Invalid

FIRST, COUNT = 60_706, 478
_CAPABILITIES = {0: "CHOWN", 1: "DAC_OVERRIDE", 3: "FOWNER", 5: "KILL", 6: "SETGID", 7: "SETUID"}


class NoOtherUser(Invalid):
    """Components cannot run as another user than root; the reason can be shown in other messages too."""

    def __init__(self, reason: str, fix: str) -> None:
        self.reason = reason
        super().__init__(
            f"This stack runs as root, and its components cannot run as another user: {reason}. "
            f"Run the stack as an ordinary user, which is best, or {fix}"
        )


class RunsAsRoot(NoOtherUser):
    code = "runtime.runsAsRoot"

    def __init__(self, reason: str) -> None:
        super().__init__(reason, "give root that right.")


class OutOfReach(NoOtherUser):
    code = "runtime.outOfReach"

    def __init__(self, path: Path, closed: Path) -> None:
        reason = f"other users cannot read {path}, because {closed} is closed to them"
        super().__init__(reason, f"put it where all users may read it: chmod o+rx {closed}")


def choose_user(project_id: int) -> int:
    """Return the number of the user, and of its group; 0 means that of the stack, which is an ordinary one."""
    if os.geteuid():
        return 0
    user = FIRST + project_id % COUNT
    if reason := _find_missing_right(user):
        raise RunsAsRoot(reason)
    return user


def find_obstacle(folder: Path | None = None, *, is_wrapped: bool) -> str:
    """Return why no component of the stack with this data folder can run as another user than root; empty where it can,
    and where the stack is not root's."""
    try:
        if choose_user(0):
            check_program(is_wrapped=is_wrapped)
            if folder and not is_wrapped:
                check_traversable(folder.resolve())
    except NoOtherUser as error:
        return error.reason
    return ""


def check_program(*, is_wrapped: bool) -> None:
    """Raise OutOfReach unless all users may read what every component needs: Python and Penstock."""
    for path in (Path(sys.executable).resolve(), Path(sys.prefix), Path(penstock.__file__)):
        check_readable(path, is_wrapped=is_wrapped)


def _find_missing_right(user: int) -> str:
    if sys.platform != "linux":
        return ""
    if not all(_is_mapped(file, user) for file in ("/proc/self/uid_map", "/proc/self/gid_map")):
        return f"this container has no user {user}"
    missing = [name for bit, name in _CAPABILITIES.items() if not _capabilities() >> bit & 1]
    return f"root lacks the right to change users here (capability {', '.join(missing)})" if missing else ""


def _is_mapped(file: str, number: int) -> bool:
    for line in Path(file).read_text().splitlines():
        first, _, count = map(int, line.split())
        if first <= number < first + count:
            return True
    return False


def _capabilities() -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1], 16) for line in lines if line.startswith("CapEff"))


def give(folder: Path, user: int) -> None:
    """Make the folder the user's, with everything in it that is still ours.

    Not a file that has a second name: that one may lie elsewhere, and be ours for a reason.
    """
    waiting = [str(folder)]
    while waiting:
        with suppress(OSError), os.scandir(waiting.pop()) as entries:
            for entry in entries:
                status = entry.stat(follow_symlinks=False)
                is_folder = stat.S_ISDIR(status.st_mode)
                if status.st_uid != user and (is_folder or status.st_nlink == 1):
                    with suppress(OSError):  # on a file that cannot be changed, say; the component says more of it
                        os.chown(entry.path, user, user, follow_symlinks=False)
                if is_folder:
                    waiting.append(entry.path)
    # Last: a folder that is the user's is known to be so with all that is in it.
    os.chown(folder, user, user)


def share(folder: Path, user: int) -> None:
    """Let the user look into a folder that stays the stack's, and into those that are made in it; and no one else."""
    if user:
        os.chown(folder, -1, user)
        folder.chmod(stat.S_ISGID | 0o750)


def grant_traverse(folder: Path, within: tuple[Path, ...]) -> None:
    """Let other users pass, but not look around, in the folders that lead to this one, of those `within` a folder."""
    for parent in folder.parents:
        if _is_within(parent, within):
            mode = stat.S_IMODE(parent.stat().st_mode)
            if not mode & stat.S_IXOTH:
                parent.chmod(mode | stat.S_IXOTH)


def check_readable(path: Path, *, is_wrapped: bool, opened: tuple[Path, ...] = (), user: int = 0) -> None:
    """Raise OutOfReach unless all users, or the group of this one, may read the path; in a sandbox the folders around
    it do not count."""
    if not path.exists():
        return
    status = path.stat()
    needed = stat.S_IROTH | stat.S_IXOTH if stat.S_ISDIR(status.st_mode) else stat.S_IROTH
    if user and status.st_gid == user:
        needed <<= 3
    if status.st_mode & needed != needed:
        raise OutOfReach(path, path)
    if not is_wrapped:
        check_traversable(path, opened)


def check_traversable(path: Path, opened: tuple[Path, ...] = ()) -> None:
    """Raise OutOfReach unless all users may pass through the folders around it, but for those that will be opened."""
    for parent in path.parents:
        if not parent.stat().st_mode & stat.S_IXOTH and not _is_within(parent, opened):
            raise OutOfReach(path, parent)


def _is_within(folder: Path, tops: tuple[Path, ...]) -> bool:
    return any(folder.is_relative_to(top) for top in tops)
