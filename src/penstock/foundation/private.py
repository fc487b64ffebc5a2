"""Variables that a program is given in a file instead of its environment, and that nothing it starts can see.

The environment that a process was started with can be read in /proc by every program of the same user, also after the
process has changed it. So passwords go into a file of its data folder, which it removes before any other code runs.
"""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

VARIABLE = "PENSTOCK_PRIVATE"
FILE = "private.json"


def take_private() -> dict[str, str]:
    """The variables, once: the file that holds them is gone afterwards, and so is its name."""
    name = os.environ.pop(VARIABLE, "")
    if not name:
        return {}
    file = Path(name)
    found = msgspec.json.decode(file.read_bytes(), type=dict[str, str])
    file.unlink()
    return found
