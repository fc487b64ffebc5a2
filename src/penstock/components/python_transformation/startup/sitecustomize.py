"""Imported by Python before the script of a transformation, like any module of this name on its path.

It prepares what scripts expect: the CSV dialect `kbc`, and an explanation if they use `/data` where it does not exist.
It must not import Penstock: the interpreter may be that of a virtual environment.
"""

from __future__ import annotations

import csv
import os
import re
import sys
from importlib.machinery import PathFinder
from importlib.util import module_from_spec
from pathlib import Path
from types import TracebackType

_HERE = Path(__file__).parent
_FOLDER = Path(os.environ.get("KBC_DATADIR") or "/data")
_PATH = re.compile(r"(?<![\w./-])/data/([^\s'\"]+)")


def _show(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Print the traceback, and how to fix a path that only exists in a sandbox."""
    sys.__excepthook__(kind, error, trace)
    match = _PATH.search(str(error))
    if match and not Path(match[0]).is_relative_to(_FOLDER) and Path("/data").resolve() != _FOLDER.resolve():
        sys.stderr.write(
            f"{match[0]} exists only where components run in a sandbox or a container, and this one does not. "
            f"Use the relative path {match[1]}, or the folder that the variable KBC_DATADIR names.\n"
        )


def _run_other() -> None:
    """Run another module of the same name that this one hides, such as one of the machine's operator."""
    spec = PathFinder.find_spec("sitecustomize", [path for path in sys.path if Path(path) != _HERE])
    if spec and spec.loader:
        spec.loader.exec_module(module_from_spec(spec))


csv.register_dialect("kbc", lineterminator="\n", delimiter=",", quotechar='"')
sys.excepthook = _show
_run_other()
