"""Where a download is written: next to its destination, and renamed when it is whole; or to standard output."""

from __future__ import annotations

import secrets
import shutil
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

STDOUT = "-"


@contextmanager
def destination(name: str, *, overwrite: bool) -> Generator[Path]:
    """A path to write to. An error or Ctrl-C leaves neither a part of the file nor anything else."""
    from penstock.foundation.errors import Conflict

    target = Path(name)
    if name != STDOUT and target.exists() and not overwrite:
        raise Conflict(f"{name} exists. Use --overwrite to replace it, or give another name.")
    # In the folder of the destination, since a file can be renamed only within one file system.
    beside = Path(tempfile.gettempdir()) if name == STDOUT else target.parent
    folder = beside / f".penstock-{secrets.token_hex(8)}"
    try:  # before the folder is there: a TemporaryDirectory that is interrupted while it is made would stay
        folder.mkdir(mode=0o700)
        written = folder / "whole"
        yield written
        if name == STDOUT:
            _print(written)
        else:
            written.replace(target)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _print(written: Path) -> None:
    with written.open("rb") as content:
        shutil.copyfileobj(content, sys.stdout.buffer, 1 << 20)
    sys.stdout.flush()
