"""Removes paths of this machine from what users read: events, results of jobs and errors.

The data folder of a job becomes `/data`, its path inside components. The rest of the stack's data folder, the program
and its Python become placeholders. Paths are also found in JSON that encodes `/` as `\\/`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import penstock

JOB, DATA_FOLDER, PROGRAM, PYTHON = "/data", "<data folder>", "<penstock>", "<python>"
_SYSTEM = ("/", "/usr", "/usr/local")
"""Common to every machine: they reveal nothing, and would match too much."""
_BEGINNING, _SLASH, _END = r"(?<![\w.-])", r"\\*/", r"(?![\w-])"


class ServerPaths:
    """Of the stack with this data folder."""

    def __init__(self, folder: Path) -> None:
        data = _any_of([folder.absolute(), folder.resolve()])
        job = _SLASH.join((data, "jobs", r"\d+", r"\d+", r"\d+"))
        prefixes = [Path(prefix) for prefix in (sys.prefix, sys.base_prefix) if prefix not in _SYSTEM]
        found = {
            f"{job}{_END}": JOB,
            # A data folder with the same path as that of a component cannot be distinguished from it.
            **({} if str(folder.absolute()) == JOB else {f"{data}{_END}": DATA_FOLDER}),
            f"{_any_of([Path(penstock.__file__).parent])}{_END}": PROGRAM,
            **({f"{_any_of(prefixes)}{_END}": PYTHON} if prefixes else {}),
        }
        self._names = list(found.values())
        # A line without any of these need not be searched.
        self._hints = {path.name for path in (folder, folder.resolve(), Path(penstock.__file__).parent, *prefixes)}
        self._pattern = re.compile(_BEGINNING + f"(?:{'|'.join(f'({pattern})' for pattern in found)})")

    def hide(self, text: str) -> str:
        return self._pattern.sub(self._name, text) if any(hint in text for hint in self._hints) else text

    def _name(self, match: re.Match[str]) -> str:
        return self._names[(match.lastindex or 1) - 1]


@cache
def paths_of(folder: Path) -> ServerPaths:
    return ServerPaths(folder)


def _any_of(paths: Iterable[Path]) -> str:
    texts = sorted({str(path) for path in paths}, key=len, reverse=True)
    return f"(?:{'|'.join(_SLASH.join(map(re.escape, text.split('/'))) for text in texts)})"
