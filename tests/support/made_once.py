"""What takes long to make, and is the same for all tests: made by the first process of a run that needs it."""

from __future__ import annotations

import fcntl
import os
import pickle
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest

T = TypeVar("T")


def make_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], T]) -> tuple[Path, T]:
    """A folder for everybody to copy, and what is known of it. `make` gets a path where there is nothing yet; another
    process that needs the same waits meanwhile."""
    place = _find_common(factory) / f"once-{name}"
    folder, known = place / "data", place / "known"
    with place.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not known.exists():
            # Of a process that failed.
            shutil.rmtree(place, ignore_errors=True)
            place.mkdir()
            known.write_bytes(pickle.dumps(make(folder)))
        return folder, pickle.loads(known.read_bytes())


def _find_common(factory: pytest.TempPathFactory) -> Path:
    """Processes of xdist have folders of their own, in the one of the run."""
    own = factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
