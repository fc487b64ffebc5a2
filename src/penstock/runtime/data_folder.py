"""The folder in which a component finds its configuration and leaves its results.

config.json                        what to do; holds secrets, so only its owner reads it and it goes first
in/tables/*  in/files/*            what it works on
in/state.json                      what the last run wanted remembered
out/tables/*  out/files/*          what came of it
out/state.json  out/usage.json  out/result.json
artifacts/in  artifacts/out        what runs leave for each other
"""

from __future__ import annotations

import fcntl
import os
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from penstock.foundation import durable
from penstock.foundation.configurations import AROUND, is_without_parameters
from penstock.foundation.logging import Log
from penstock.foundation.removal import remove_tree
from penstock.foundation.trees import walk
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
_NOT_TOLD = ("runtime", "processors")


def check_configuration(document: dict[str, Any]) -> None:
    """Raise for an unknown key at the root of a configuration."""
    if is_without_parameters(document):
        raise BadConfiguration(
            '"api" is at the top of the configuration: put it, and what is beside it, below "parameters".'
        )
    check_keys(document, AROUND, "container")
    for key in _OBJECTS:
        read_section(document, key, "container")


class DataFolder:
    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def tables(self) -> Path:
        return self.path / "out" / "tables"

    def prepare(self, configuration: dict[str, Any], state: dict[str, Any]) -> None:
        """Make the folder anew, with everything in it; what an earlier try left in it is gone."""
        self.create()
        self.write_configuration(configuration)
        self.write_state(state)

    def create(self) -> None:
        """Make the folder anew, without anything in it."""
        self.remove()
        self.path.mkdir(parents=True, mode=0o700)
        for folder in FOLDERS:
            os.mkdir(f"{self.path}/{folder}", 0o700)  # noqa: PTH102 - a path object for each would take three times as long

    def write_configuration(self, configuration: dict[str, Any], *, action: str = "run", **injected: Any) -> None:
        """`injected` takes the place of what the configuration has there, such as `image_parameters`."""
        check_configuration(configuration)
        told = {key: value for key, value in {**configuration, **injected}.items() if key not in _NOT_TOLD}
        objects: dict[str, Any] = {key: told.get(key) or {} for key in _OBJECTS}
        self._write("config.json", {**told, **objects, "action": action})

    def write_state(self, state: dict[str, Any]) -> None:
        self._write("in/state.json", state)

    def take_over(self, work: str) -> None:
        """Go on with what the last attempt left behind, unless it is still at it: a frozen one may wake up."""
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
        """The state that the component wrote; empty if it wrote none."""
        file = self.path / "out" / "state.json"
        if not file.is_symlink() and (not file.exists() or (file.is_file() and not file.stat().st_size)):
            return {}
        return read_json(file, dict[str, Any], STATE_BYTES, "The component left a state that cannot be kept")

    def remove(self) -> None:
        """Delete the folder with all its contents; what cannot be deleted is logged."""
        if left := remove_tree(self.path):
            log.error("data folder not removed", folder=str(self.path), reason=left)

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
    """Whether no component has it locked."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(handle)
    return True
