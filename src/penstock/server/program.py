"""How this program was called, so that a printed command can be copied."""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path


def as_called() -> str:
    """As short as it works from the current folder."""
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
    """With `sudo`, which has a search path of its own and so needs the whole path."""
    program = Path(sys.argv[0]).absolute()
    words = [sys.executable, "-m", "penstock"] if _is_module(program) else [str(program)]
    return shlex.join(["sudo", *words])


def _is_module(program: Path) -> bool:
    """`python -m penstock` was called, and what the system tells is a file that cannot be started."""
    return program.name == "__main__.py"
