"""Environment variables passed to a program in a file, so that its child processes and other programs cannot see them.

The environment that a process was started with can be read in /proc by every program of the same user, even after the
process has changed it. So passwords go into a file of its data folder, which it removes before any other code runs.
"""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

VARIABLE = "PENSTOCK_PRIVATE"
FILE = "private.json"


def take_private() -> dict[str, str]:
    """Read the variables once: the file and the variable with its name are removed."""
    name = os.environ.pop(VARIABLE, "")
    if not name:
        return {}
    file = Path(name)
    found = msgspec.json.decode(file.read_bytes(), type=dict[str, str])
    file.unlink()
    return found
