"""Where a download is written: beside its destination, and renamed when it is whole; or to standard output."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

STDOUT = "-"


@contextmanager
def destination(given: str, *, overwrite: bool) -> Generator[Path]:
    """A path to write to. An error or Ctrl-C leaves neither a part of the file nor anything else."""
    from penstock.foundation.errors import Conflict

    target = Path(given)
    if given != STDOUT and target.exists() and not overwrite:
        raise Conflict(f"{given} exists. Use --overwrite to replace it, or give another name.")
    # In the folder of the destination, since a file can be renamed only within one file system.
    beside = None if given == STDOUT else target.parent
    with tempfile.TemporaryDirectory(prefix=".penstock-", dir=beside) as folder:
        written = Path(folder) / "whole"
        yield written
        if given == STDOUT:
            _print(written)
        else:
            written.replace(target)


def _print(written: Path) -> None:
    with written.open("rb") as content:
        shutil.copyfileobj(content, sys.stdout.buffer, 1 << 20)
    sys.stdout.flush()
