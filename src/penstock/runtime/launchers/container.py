"""Runs a component in a container, with the command of Docker, Podman or nerdctl."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Callable
from pathlib import Path

from penstock.runtime.launch import Clean, Launch, decode_start
from penstock.runtime.launchers.engines import engine_environment, get_engine
from penstock.runtime.process import Process
from penstock.runtime.users import choose_user, give

PODMAN, NERDCTL = "podman", "nerdctl"


class ContainerLauncher:
    warning = ""

    def __init__(self, engine: str | None = None) -> None:
        self._engine = engine or get_engine()

    def start(self, launch: Launch, on_line: Callable[[str], object], clean: Clean = decode_start) -> Process:
        name = f"penstock-{secrets.token_hex(8)}"
        if user := choose_user(launch.project_id):
            for folder in (launch.folder, *launch.writable):
                give(folder, user)
        return Process(
            self.command(launch, name),
            launch.folder,
            {**engine_environment(), **_environment(launch)},
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
            *(self._engine, "run", "--rm", *_with_init(self._engine), "--name", name),
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
    if Path(engine).name == PODMAN and os.getuid():
        return ["--userns", "keep-id", *user]
    # nerdctl cannot keep the number: without root, this user is 0 inside the container, and root of nothing outside.
    return ["--user", "0:0"] if Path(engine).name == NERDCTL and os.getuid() else user


def _with_init(engine: str) -> list[str]:
    """nerdctl has no init program of its own, and refuses to start a container where tini is not installed."""
    return [] if Path(engine).name == NERDCTL and not shutil.which("tini") else ["--init"]


def _environment(launch: Launch) -> dict[str, str]:
    return {**launch.environment, "KBC_DATADIR": "/data/"}
