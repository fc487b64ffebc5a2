"""The command of a component.

A bundled component is a Python module, run by this interpreter in isolated mode (`-I`: neither its working folder nor
the environment can inject code). A custom component is a command in its folder.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from penstock.components.component import Component
from penstock.foundation.errors import Invalid

OWN_PYTHON = ".venv/bin/python"


class NothingToRun(Invalid):
    def __init__(self, component_id: str) -> None:
        super().__init__(f'The component "{component_id}" has no program: its configurations are read by others.')


class ProgramGone(Invalid):
    """A file that existed when the component was added is gone."""

    def __init__(self, component_id: str, what: str) -> None:
        super().__init__(
            f'The component "{component_id}" cannot be started: {what} is not there. '
            "Put it back at the path in `penstock components list`, or add the component again from its new path: "
            "penstock components add DIR"
        )


def build_command(component: Component) -> list[str]:
    """Returns the command line on this machine, without a shell; raises ProgramGone if its program is missing.

    A word of the command that names a file in the component's folder is replaced by its path, since the program runs in
    a data folder.
    """
    if component.module:
        return [sys.executable, "-I", "-m", component.module, *component.arguments]
    if not component.command:
        if component.image:  # the image knows its command
            return []
        raise NothingToRun(component.id)
    folder = component.folder or Path()
    program, *words = component.command
    return [_find(component, folder, program), *(_in_folder(folder, word) for word in words)]


def _find(component: Component, folder: Path, program: str) -> str:
    if component.image:  # the image contains the program
        return find_program(folder, program) or program
    if not folder.is_dir():
        raise ProgramGone(component.id, "its folder")
    path = find_program(folder, program)
    if not path:
        raise ProgramGone(component.id, f"its program {program}")
    return path


def find_program(folder: Path, program: str) -> str | None:
    """`python` is the folder's own, or this one; a name with a slash is a file in the folder; other names are on the
    PATH."""
    if program in ("python", "python3"):
        own = folder / OWN_PYTHON
        return str(own) if own.exists() else sys.executable
    if "/" in program:
        file = folder / program
        return str(file) if file.is_file() and os.access(file, os.X_OK) else None
    return shutil.which(program)


def _in_folder(folder: Path, word: str) -> str:
    return str(folder / word) if word and not word.startswith("-") and (folder / word).is_file() else word
