"""The folder in which a component finds its configuration and leaves its results.

config.json                        what to do; holds secrets, so only its owner reads it and it goes first
in/state.json                      what the last run wanted remembered
out/tables/*  out/state.json       what came of it
"""

from __future__ import annotations

import fcntl
import os
import shutil
from pathlib import Path
from typing import Any

import msgspec

from penstock.foundation import durable
from penstock.foundation.errors import Invalid

STATE_BYTES = 10_000_000
_ROOT_KEYS = ("parameters", "storage", "image_parameters", "authorization")


class BadState(Invalid):
    def __init__(self, reason: str) -> None:
        super().__init__(f"The component left a state that cannot be kept: {reason}")


class DataFolder:
    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def tables(self) -> Path:
        return self.path / "out" / "tables"

    def prepare(self, configuration: dict[str, Any], state: dict[str, Any]) -> None:
        """Make the folder anew; what an earlier try left in it is gone."""
        self.remove()
        for folder in ("in/tables", "in/files", "out/tables", "out/files"):
            (self.path / folder).mkdir(parents=True, mode=0o700)
        document: dict[str, Any] = {key: configuration.get(key) or {} for key in _ROOT_KEYS}
        rest = {key: value for key, value in configuration.items() if key not in ("runtime", "processors")}
        self._write("config.json", {**rest, **document, "action": "run"})
        self._write("in/state.json", state)

    def take_over(self, work: str) -> None:
        """Go on with what the last attempt left behind, unless it is still at it: a frozen one may wake up."""
        others = [path for path in self.path.parent.iterdir() if path.name.isdecimal() and path != self.path]
        for other in sorted(others, key=lambda path: int(path.name), reverse=True):
            left = other / work
            if left.is_dir() and _is_free(left.parent):
                left.rename(self.path / work)
                return

    def seal(self) -> None:
        """The component is done: its results are made durable, and the secrets it was given are removed."""
        (self.path / "config.json").unlink(missing_ok=True)
        durable.sync_tree(self.path)

    def read_state(self) -> dict[str, Any]:
        file = self.path / "out" / "state.json"
        if not file.exists() or not file.stat().st_size:
            return {}
        if not file.is_file():
            raise BadState("it is not a file.")
        if file.stat().st_size > STATE_BYTES:
            raise BadState(f"it is larger than {STATE_BYTES:,} bytes.")
        try:
            return msgspec.json.decode(file.read_bytes(), type=dict[str, Any])
        except (msgspec.MsgspecError, RecursionError) as error:
            raise BadState(f"it is not a JSON object ({error}).") from error

    def remove(self) -> None:
        shutil.rmtree(self.path, ignore_errors=True)

    def _write(self, name: str, document: dict[str, Any]) -> None:
        file = self.path / name
        file.touch(mode=0o600)
        file.write_bytes(msgspec.json.encode(document))


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
