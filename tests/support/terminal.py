"""Programs that print to a terminal: what they print there may differ from what they print to a pipe."""

from __future__ import annotations

import itertools
import os
import subprocess
from pathlib import Path
from typing import IO

from tests.support.stacks import clean_environment


def start_on_terminal(command: list[str], folder: Path) -> tuple[subprocess.Popen[bytes], IO[str]]:
    """Start the command in this folder; what it prints is read from the returned file."""
    ours, theirs = os.openpty()
    process = subprocess.Popen(command, cwd=folder, env=clean_environment(), stdout=theirs)
    os.close(theirs)
    return process, os.fdopen(ours)


def read_before(printed: IO[str], text: str) -> str:
    """Return the lines before the one that has this text."""
    return "".join(itertools.takewhile(lambda line: text not in line, printed))
