"""Which container engine this machine has: the first of docker, podman and nerdctl whose engine responds.

A command that is installed says little: its engine may not run, or may not be used by this user. So it is asked once,
and the answer is kept for a while: an engine that is started later is found without a restart of the stack.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
import time
from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

from penstock.foundation.errors import Invalid

ENGINES = {"docker": "Docker", "podman": "Podman", "nerdctl": "nerdctl"}
"""The commands that are looked for, in this order, and the names of their products."""
INHERITED = (
    *("PATH", "HOME", "LANG", "XDG_RUNTIME_DIR"),
    *("DOCKER_HOST", "DOCKER_CONTEXT", "CONTAINER_HOST", "CONTAINERD_ADDRESS"),
)
"""What the command of an engine needs to find its engine."""
PROBE = ("ps", "--quiet")
"""Needs the engine with each of the commands; `info` and `version` succeed without it in some releases."""
PROBE_SECONDS = 5.0
USABLE_SECONDS, UNUSABLE_SECONDS = 600.0, 30.0
MAX_CHARACTERS = 300


def list_names(names: Iterable[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} or {last}"


class EngineMissing(Invalid):
    code = "runtime.engineMissing"

    def __init__(self, reason: str, image: str = "") -> None:
        program = f"The program of this component is the image {image}" if image else "This component has an image"
        super().__init__(
            f"{program}, and this stack has no container engine to run it: {reason} Install or start "
            f'{list_names(ENGINES.values())} where the stack runs, with launcher = "auto" or "container"; or publish '
            "the program as an archive."
        )


class Probe(msgspec.Struct, frozen=True, kw_only=True):
    """What was found out about the engines of this machine."""

    engine: str = ""
    """The path of the command; empty if no engine can be used."""
    reason: str = ""
    """A sentence: why none can be used."""
    until: float = 0.0

    @property
    def name(self) -> str:
        return Path(self.engine).name


_probes: dict[tuple[str | None, ...], Probe] = {}
_lock = threading.Lock()


def find_engine() -> Probe:
    """Asks the engines at most once in a while; other callers wait for that."""
    key = tuple(os.environ.get(name) for name in INHERITED)
    with _lock:
        probe = _probes.get(key)
        if not probe or probe.until <= time.monotonic():
            probe = _probes[key] = _probe()
        return probe


def get_engine(image: str = "") -> str:
    """Return the path of the command; raises EngineMissing, which says why there is none."""
    probe = find_engine()
    if not probe.engine:
        raise EngineMissing(probe.reason, image)
    return probe.engine


def engine_environment() -> Mapping[str, str]:
    return {name: os.environ[name] for name in INHERITED if name in os.environ}


def find_digest(image: str) -> str:
    """Return the digest by which the registry knows an image of this machine; empty if it was built here, or no one
    knows."""
    engine = find_engine().engine
    command = [engine, "image", "inspect", "--format", "{{json .RepoDigests}}", image]
    try:
        done = subprocess.run(command, env=engine_environment(), capture_output=True, timeout=PROBE_SECONDS, check=True)
        names = msgspec.json.decode(done.stdout, type=list[str])
    except (OSError, subprocess.SubprocessError, msgspec.MsgspecError):
        return ""
    digests = (name.partition("@")[2] for name in names)
    return next((digest for digest in digests if digest), "")


def _probe() -> Probe:
    reasons: list[str] = []
    for name in ENGINES:
        path = shutil.which(name)
        if not path:
            continue
        problem = _find_problem(path)
        if problem is None:
            return Probe(engine=path, until=time.monotonic() + USABLE_SECONDS)
        reasons.append(f"{name} is installed, but its engine cannot be used ({problem}).")
    reason = " ".join(reasons) or f"none of {list_names(ENGINES)} is installed here."
    return Probe(reason=reason, until=time.monotonic() + UNUSABLE_SECONDS)


def _find_problem(path: str) -> str | None:
    """Return None if the engine answers."""
    try:
        done = subprocess.run(
            [path, *PROBE], env=engine_environment(), capture_output=True, timeout=PROBE_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return f"it did not answer within {PROBE_SECONDS:.0f} seconds"
    except OSError as error:
        return error.strerror or str(error)
    if done.returncode == 0:
        return None
    lines = [line.strip() for line in done.stderr.decode("utf-8", "replace").splitlines() if line.strip()]
    return lines[-1][:MAX_CHARACTERS].rstrip(".") if lines else f"it ended with the exit code {done.returncode}"
