"""How a component is started. One small interface, one file for each way:

local.py       a process of this machine, in a sandbox where there is one
container.py   a container of Docker or Podman
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from penstock.runtime.launch import Clean, Launch, ProcessExit
from penstock.runtime.launchers.container import ContainerLauncher
from penstock.runtime.launchers.local import LocalLauncher


class Running(Protocol):
    def wait(self, timeout: float | None = None) -> ProcessExit | None:
        """How it ended; None if it has not within the time."""
        ...

    def stop(self) -> None:
        """Ask it to end; after a moment it is ended, with everything that it started."""
        ...


class Launcher(Protocol):
    @property
    def warning(self) -> str:
        """What users of a component have to know of how it is run; mostly nothing."""
        ...

    def start(self, launch: Launch, on_line: Callable[[str], object], clean: Clean = ...) -> Running: ...


def choose_launcher(kind: str, image: str, sandbox: str = "auto", reason: str = "", network: str = "gate") -> Launcher:
    """As the settings say; a component without an image runs as a process all the same."""
    if kind == "container" and image:
        return ContainerLauncher()
    return LocalLauncher(sandbox, reason, is_open=network == "open")
