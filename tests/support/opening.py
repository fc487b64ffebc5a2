"""A script that tries to open files, as a component would that looks around: which words it prints is what it could."""

from __future__ import annotations

_SCRIPT = """
import os, sys
for word in {paths}:
    how, _, path = word.partition(" ")
    try:
        if how == "list":
            os.listdir(path)
        else:
            file = os.open(path, os.O_RDONLY if how == "read" else os.O_WRONLY)
            how == "write" or os.read(file, 1)
            os.close(file)
    except OSError:
        continue
    print("{before}" + word)
"""


def opening(paths: str, before: str = "") -> str:
    """`paths` is the Python for a list of words such as `read /etc/shadow`; each is printed with `before` before it."""
    return _SCRIPT.format(paths=paths, before=before)
