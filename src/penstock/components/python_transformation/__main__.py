"""`python -m penstock.components.python_transformation`: prepares the data folder, then executes the script.

The scripts of all codes are one program, as if concatenated. This process is replaced (exec) by the interpreter that
runs it, so output, exit code and memory are those of the script alone.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from penstock.components.program import Data, run_program
from penstock.components.python_transformation.environments import find_python
from penstock.components.python_transformation.installer import without_settings
from penstock.components.python_transformation.tagged_files import place_tagged_files
from penstock.components.scripts import Script, Transformation
from penstock.foundation.private import take_private

SCRIPT = "script.py"
STARTUP = Path(__file__).parent / "startup"


class PythonTransformation(Transformation, frozen=True):
    packages: list[str] = []
    tags: list[str] = []


def transform(data: Data) -> None:
    os.environ.update(take_private())
    wanted = data.read_parameters(PythonTransformation)
    place_tagged_files(data.folder, wanted.tags)
    python = find_python(data, wanted.packages)
    file = data.folder / SCRIPT
    file.touch(mode=0o600)
    file.write_text("\n".join(map(_write_out, wanted.scripts)), encoding="utf-8")
    os.chdir(data.folder)
    sys.stdout.flush()
    os.execve(python, [python, "-u", SCRIPT], _environment())  # noqa: S606 - no shell is wanted


def _environment() -> dict[str, str]:
    """With `startup/` on the module path, from which Python imports sitecustomize before the script."""
    given = without_settings()
    paths = [str(STARTUP), *filter(None, [given.get("PYTHONPATH")])]
    return {**given, "PYTHONPATH": os.pathsep.join(paths)}


def _write_out(script: Script) -> str:
    """Written to a file with its name, so that line numbers in tracebacks are right."""
    name = " ".join(script.place.split())
    return "\n".join([f"# {name}", *script.texts, ""])


if __name__ == "__main__":
    raise SystemExit(run_program(transform))
