"""How a component is started. One small interface, one file for each way:

local.py       a process of this machine, in a sandbox where there is one
container.py   a container of Docker, Podman or nerdctl
engines.py     which of these can be used here
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from penstock.runtime.launch import Clean, Launch, ProcessExit
from penstock.runtime.launchers.container import ContainerLauncher
from penstock.runtime.launchers.engines import find_engine, get_engine
from penstock.runtime.launchers.local import ImageOnly, LocalLauncher


class Running(Protocol):
    def wait(self, timeout: float | None = None) -> ProcessExit | None:
        """Return how it ended; None if it has not within the time."""
        ...

    def stop(self) -> None:
        """Ask it to end; after a moment it is ended, with everything that it started."""
        ...


class Launcher(Protocol):
    @property
    def warning(self) -> str:
        """Return what users of a component have to know of how it is run; mostly nothing."""
        ...

    def start(self, launch: Launch, on_line: Callable[[str], object], clean: Clean = ...) -> Running: ...


def choose_launcher(
    kind: str,
    image: str,
    sandbox: str = "auto",
    reason: str = "",
    network: str = "gate",
    *,
    has_command: bool = True,
) -> Launcher:
    """Choose as the settings specify; a component without an image runs as a process in any case. `has_command`:
    whether it can run without its image."""
    if _needs_container(kind, image, has_command=has_command):
        return ContainerLauncher(get_engine(image))
    return LocalLauncher(sandbox, reason, is_open=network == "open")


def check_launchable(kind: str, image: str, *, has_command: bool) -> None:
    """Raise if a component with this image cannot be started here; the same for each job until an engine starts."""
    if _needs_container(kind, image, has_command=has_command):
        get_engine(image)
    elif image and not has_command:
        raise ImageOnly(image)


def _needs_container(kind: str, image: str, *, has_command: bool) -> bool:
    """`auto`: also a component that has a command in addition to its image, where an engine can be used."""
    if not image or kind == "process":
        return False
    return kind == "container" or not has_command or bool(find_engine().engine)
