"""How this program was called, so that a printed command can be copied."""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path


def as_called() -> str:
    """The shortest form that works from the current folder."""
    program = Path(sys.argv[0]).absolute()
    if shutil.which("penstock") == str(program):
        return "penstock"
    if _is_module(program):
        return f"{shlex.quote(sys.executable)} -m penstock"
    try:
        return shlex.quote(str(program.relative_to(Path.cwd())))
    except ValueError:
        return shlex.quote(str(program))


def as_root() -> str:
    """Write the command with `sudo`, whose search path differs, so the full path is needed."""
    program = Path(sys.argv[0]).absolute()
    words = [sys.executable, "-m", "penstock"] if _is_module(program) else [str(program)]
    return shlex.join(["sudo", *words])


def _is_module(program: Path) -> bool:
    """Called as `python -m penstock`: then sys.argv[0] is a file that cannot be executed."""
    return program.name == "__main__.py"
