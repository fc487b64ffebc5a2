"""The folder in which a component finds its configuration and leaves its results.

config.json                        what to do; holds secrets, so only its owner reads it and it is deleted first
in/tables/*  in/files/*            its input
in/state.json                      the state that the last run left
out/tables/*  out/files/*          its output
out/state.json  out/usage.json  out/result.json
artifacts/in  artifacts/out        files for other runs

It is removed when the job has ended. What cannot be removed is moved to `leftovers/` of the stack's folder, and the log
and `penstock doctor` report it: no job can leave anything behind that stops a worker.
"""

from __future__ import annotations

import fcntl
import os
import secrets
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import msgspec

from penstock.foundation.files import durable
from penstock.foundation.files.removal import LEFTOVERS, remove_tree
from penstock.foundation.files.trees import walk
from penstock.foundation.logging import Log
from penstock.foundation.text.configurations import TOP_LEVEL_KEYS, is_without_parameters
from penstock.runtime.documents import BadConfiguration, check_keys, read_section
from penstock.runtime.written import read_json, remove_entry

log = Log("runtime")

STATE_BYTES = 10_000_000
FOLDERS = (
    "in",
    "in/tables",
    "in/files",
    "in/user",
    "out",
    "out/tables",
    "out/files",
    "artifacts",
    "artifacts/out",
    "artifacts/out/current",
    "artifacts/out/shared",
)
_OBJECTS = ("parameters", "storage", "image_parameters", "authorization")
_LEFT_OUT = ("runtime", "processors")


def check_configuration(document: dict[str, Any]) -> None:
    """Raise for an unknown key at the root of a configuration."""
    if is_without_parameters(document):
        raise BadConfiguration(
            '"api" is at the top of the configuration: put it, and what is next to it, below "parameters".'
        )
    check_keys(document, TOP_LEVEL_KEYS, "container")
    for key in _OBJECTS:
        read_section(document, key, "container")


class DataFolder:
    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def tables(self) -> Path:
        return self.path / "out" / "tables"

    def prepare(self, configuration: dict[str, Any], state: dict[str, Any]) -> None:
        """Create the folder with everything in it; what an earlier attempt left in it is removed."""
        self.create()
        self.write_configuration(configuration)
        self.write_state(state)

    def create(self) -> None:
        """Create the folder without anything in it."""
        self.remove()
        self.path.mkdir(parents=True, mode=0o700)
        for folder in FOLDERS:
            os.mkdir(f"{self.path}/{folder}", 0o700)  # noqa: PTH102 - a path object for each would take three times as long

    def write_configuration(self, configuration: dict[str, Any], *, action: str = "run", **injected: Any) -> None:
        """`injected` takes the place of what the configuration has there, such as `image_parameters`."""
        check_configuration(configuration)
        document = {key: value for key, value in {**configuration, **injected}.items() if key not in _LEFT_OUT}
        objects: dict[str, Any] = {key: document.get(key) or {} for key in _OBJECTS}
        self._write("config.json", {**document, **objects, "action": action})

    def write_state(self, state: dict[str, Any]) -> None:
        self._write("in/state.json", state)

    def take_over(self, work: str) -> None:
        """Continue with what the last attempt left behind, unless it is still running: a frozen one may wake up."""
        others = [path for path in self.path.parent.iterdir() if path.name.isdecimal() and path != self.path]
        for other in sorted(others, key=lambda path: int(path.name), reverse=True):
            left = other / work
            if left.is_dir() and _is_free(left.parent):
                left.rename(self.path / work)
                return

    def make_durable(self) -> bool:
        """Call it after the component has ended: deletes the secrets that it was given and syncs its output to disk.
        Returns whether there is any output."""
        remove_entry(self.path / "config.json")
        has_output = any(_has_files(self.path / name) for name in ("out", "artifacts/out"))
        if has_output:
            durable.sync_tree(self.path)
        return has_output

    def read_state(self) -> dict[str, Any]:
        """Return the state that the component wrote; empty if it wrote none."""
        file = self.path / "out" / "state.json"
        if not file.is_symlink() and (not file.exists() or (file.is_file() and not file.stat().st_size)):
            return {}
        return read_json(file, dict[str, Any], STATE_BYTES, "The component left a state that cannot be kept")

    def remove(self) -> None:
        """Delete the folder with all its contents; what cannot be deleted is logged."""
        if left := remove_tree(self.path):
            log.error("removal of data folder failed", folder=str(self.path), reason=left)

    def _write(self, name: str, document: dict[str, Any]) -> None:
        """Always a new file: an earlier program may have put a link there, to a file that is not its own."""
        file = self.path / name
        remove_entry(file)
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as opened:
            opened.write(msgspec.json.encode(document))


def _has_files(folder: Path) -> bool:
    """A link to a folder is a file too."""
    with closing(walk(folder)) as entries:
        return any(not entry.is_folder for entry in entries)


def _is_free(folder: Path) -> bool:
    """Return whether no component has it locked."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(handle)
    return True


def remove_job_folder(folder: Path) -> None:
    """Remove the folder; never raises."""
    if left := remove_tree(folder):
        _move_aside(folder, left)


def retry_leftovers(data_folder: Path) -> None:
    """Try again, without logging: they were logged when they were moved."""
    with suppress(OSError):
        for folder in list((data_folder / LEFTOVERS).iterdir()):
            remove_tree(folder)


def _move_aside(folder: Path, reason: str) -> None:
    target = folder.parents[1] / LEFTOVERS / f"{folder.name}-{secrets.token_hex(4)}"
    try:
        target.parent.mkdir(exist_ok=True, mode=0o700)
        folder.rename(target)
    except OSError as error:
        log.error("removal of job folder failed", folder=str(folder), reason=reason, not_moved=str(error))
    else:
        log.error("job folder moved aside, its removal failed", folder=str(target), reason=reason)
