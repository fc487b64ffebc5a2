"""Processes of this machine, as a test sees them."""

from __future__ import annotations

import subprocess


def children_of(pid: int) -> list[int]:
    found = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True).stdout
    return [int(child) for child in found.split()]
