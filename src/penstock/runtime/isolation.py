"""A component's own view of the machine, with bubblewrap: system folders to read, its data folder to write, no more.

Mounts are made from the outside in, so a hidden folder covers what is readable around it, and the data folder lies
in the hidden folder of its stack.
"""

from __future__ import annotations

import functools
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from penstock.runtime.launch import Launch

WRAPPERS = 2
"""Processes of bubblewrap's own around the component."""
PROBE_SECONDS = 5.0
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/nix/store")
# Not /etc as a whole: it holds passwords, and often the settings of other services.
_ETC = (
    *("alternatives", "ca-certificates", "crypto-policies", "fonts", "gai.conf", "group", "host.conf", "hosts"),
    *("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "mime.types", "nsswitch.conf", "passwd", "pki"),
    *("protocols", "resolv.conf", "services", "ssl", "timezone"),
)
_WALLS = (
    *("--die-with-parent", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"),
    *("--cap-drop", "ALL"),
)


@functools.cache
def find_bubblewrap() -> str | None:
    """Where it is, if it is installed and may do its work here; asked once."""
    program = shutil.which("bwrap")
    if not program:
        return None
    probe = [program, *_WALLS, "--unshare-net", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "--", "true"]
    try:
        is_usable = subprocess.run(probe, capture_output=True, timeout=PROBE_SECONDS, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return None
    return program if is_usable else None


def wrap(program: str, launch: Launch, scratch: Path, command: Sequence[str]) -> list[str]:
    """The command, in its own view. `scratch` holds `tmp` and `shm`, which it sees as /tmp and /dev/shm."""
    walls = [*_WALLS, *(["--unshare-net"] if launch.network == "none" else [])]
    return [
        *(program, *walls, "--bind", str(scratch / "tmp"), "/tmp"),  # noqa: S108
        *_mounts(launch),
        *("--proc", "/proc", "--dev", "/dev", "--bind", str(scratch / "shm"), "/dev/shm"),  # noqa: S108
        # Where programs that were made for containers look for it.
        *("--symlink", str(launch.folder), "/data"),
        # What is not on disk is in memory, where no limit would see how much is written.
        *(word for path in ("/", "/dev", *map(str, _hidden_folders(launch))) for word in ("--remount-ro", path)),
        *("--chdir", str(launch.folder), "--", *command),
    ]


def _mounts(launch: Launch) -> list[str]:
    readable = [*map(Path, _SYSTEM), *(Path("/etc") / name for name in _ETC), *_interpreter(), *launch.readable]
    wanted = [
        *((path, ["--ro-bind-try", str(path), str(path)]) for path in dict.fromkeys(readable)),
        *((path, _hide(path)) for path in launch.hidden if path.exists()),
        *((path, ["--bind", str(path), str(path)]) for path in (*launch.writable, launch.folder)),
    ]
    # A stable order: of two for one path, the later wins.
    wanted.sort(key=lambda mount: len(mount[0].parts))
    return [word for _, words in wanted for word in words]


def _hidden_folders(launch: Launch) -> list[Path]:
    mounted = (launch.folder, *launch.writable)
    return [path for path in launch.hidden if path.is_dir() and path not in mounted]


def _hide(path: Path) -> list[str]:
    """A folder becomes an empty one, a file one that nobody may open."""
    return ["--ro-bind-try", "/dev/null", str(path)] if path.is_file() else ["--tmpfs", str(path)]


def _interpreter() -> list[Path]:
    """Python, what is installed for it, and Penstock itself, which may be installed from its source."""
    homes = [Path(sys.prefix), Path(sys.base_prefix), Path(sys.executable).resolve().parents[1]]
    return [*homes, *(home.resolve() for home in homes), Path(__file__).parents[1]]
