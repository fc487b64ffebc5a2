"""Runs a component in a container, with the command of Docker or Podman."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Callable
from pathlib import Path

from penstock.foundation.errors import Invalid
from penstock.runtime.launch import Clean, Launch, decode_start
from penstock.runtime.process import Process
from penstock.runtime.users import choose_user, give

ENGINES = ("docker", "podman")
# What the engine's command needs to find its engine.
_INHERITED = ("PATH", "HOME", "LANG", "XDG_RUNTIME_DIR", "DOCKER_HOST", "DOCKER_CONTEXT", "CONTAINER_HOST")


class EngineMissing(Invalid):
    code = "runtime.engineMissing"

    def __init__(self) -> None:
        super().__init__(
            'This stack runs components in containers (setting launcher = "container"), and neither docker nor podman '
            'is installed here. Install one of them, or set launcher = "process".'
        )


class ContainerLauncher:
    warning = ""

    def __init__(self, engine: str | None = None) -> None:
        self._engine = engine or get_engine()

    def start(self, launch: Launch, on_line: Callable[[str], object], clean: Clean = decode_start) -> Process:
        name = f"penstock-{secrets.token_hex(8)}"
        if user := choose_user(launch.project_id):
            for folder in (launch.folder, *launch.writable):
                give(folder, user)
        inherited = {name: os.environ[name] for name in _INHERITED if name in os.environ}
        return Process(
            self.command(launch, name),
            launch.folder,
            {**inherited, **_environment(launch)},
            on_line,
            limits=launch.limits,
            clean=clean,
            # The engine, not its command, runs the container: ending the command would not end it.
            cleanup=[self._engine, "rm", "--force", name],
            output_bytes=launch.output_bytes,
        )

    def command(self, launch: Launch, name: str) -> list[str]:
        """Nothing secret is in it: variables are named, and the engine's command takes them from its own."""
        limits = launch.limits
        memory = f"{limits.memory_megabytes}m"
        return [
            *(self._engine, "run", "--rm", "--init", "--name", name),
            *("--network", "none" if launch.network == "none" else "bridge"),
            *("--memory", memory, "--memory-swap", memory, "--pids-limit", str(limits.processes)),
            *("--ulimit", f"nofile={limits.open_files}", "--ulimit", "core=0"),
            *("--cap-drop", "ALL", "--security-opt", "no-new-privileges"),
            *_as_owner(self._engine, choose_user(launch.project_id)),
            *("--volume", f"{launch.folder}:/data", "--workdir", "/data"),
            *(word for path in launch.readable for word in ("--volume", f"{path}:{path}:ro")),
            *(word for variable in sorted(_environment(launch)) for word in ("--env", variable)),
            *(launch.image, *launch.command),
        ]


def _as_owner(engine: str, user_id: int) -> list[str]:
    """Run as the user of the stack, which has to read and delete the output; as another one if that is root."""
    user = ["--user", f"{user_id}:{user_id}" if user_id else f"{os.getuid()}:{os.getgid()}"]
    # Without root, Podman maps users to other ids inside a container.
    return ["--userns", "keep-id", *user] if Path(engine).name == "podman" and os.getuid() else user


def _environment(launch: Launch) -> dict[str, str]:
    return {**launch.environment, "KBC_DATADIR": "/data/"}


def get_engine() -> str:
    for name in ENGINES:
        if found := shutil.which(name):
            return found
    raise EngineMissing
