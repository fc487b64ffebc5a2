"""Imported by Python before the script of a transformation, like any module of this name on its path.

It prepares what scripts expect: the CSV dialect `kbc`, and an explanation if they use `/data` where it does not exist.
It must not import Penstock: the interpreter may be that of a virtual environment.
"""

from __future__ import annotations

import csv
import json
import os
import re
import sys
from importlib.machinery import PathFinder
from importlib.util import module_from_spec
from pathlib import Path
from traceback import extract_tb
from types import TracebackType

_HERE = Path(__file__).parent
_SCRIPT = "script.py"
_FOLDER = Path(os.environ.get("KBC_DATADIR") or "/data")
_PATH = re.compile(r"(?<![\w./-])/data/([^\s'\"]+)")


def _show(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Print the traceback, where in the configuration the error is, and how to fix a path that only exists in a
    sandbox."""
    sys.__excepthook__(kind, error, trace)
    if place := _find_place(error, trace):
        sys.stderr.write(f"{place}\n")
    match = _PATH.search(str(error))
    if match and not Path(match[0]).is_relative_to(_FOLDER) and Path("/data").resolve() != _FOLDER.resolve():
        sys.stderr.write(
            f"{match[0]} exists only where components run in a sandbox or a container, and this one does not. "
            f"Use the relative path {match[1]}, or the folder that the variable KBC_DATADIR names.\n"
        )


def _find_place(error: BaseException, trace: TracebackType | None) -> str:
    """Returns the code of the configuration and the line in it; empty if the error is in no code."""
    lines = [each.lineno or 0 for each in extract_tb(trace) if Path(each.filename).name == _SCRIPT]
    if isinstance(error, SyntaxError) and Path(error.filename or "").name == _SCRIPT:
        lines.append(error.lineno or 0)
    if not lines:
        return ""
    try:
        codes = json.loads((_FOLDER / f"{_SCRIPT}.codes").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return ""
    before = [(line, name) for line, name in codes if line < lines[-1]]
    return f"In {before[-1][1]}, line {lines[-1] - before[-1][0]}." if before else ""


def _run_other() -> None:
    """Run another module of the same name that this one hides, such as one of the machine's operator."""
    spec = PathFinder.find_spec("sitecustomize", [path for path in sys.path if Path(path) != _HERE])
    if spec and spec.loader:
        spec.loader.exec_module(module_from_spec(spec))


csv.register_dialect("kbc", lineterminator="\n", delimiter=",", quotechar='"')
sys.excepthook = _show
_run_other()
