"""The contents of a data folder whose database this process has open."""

from __future__ import annotations

import io
import subprocess
import tarfile
from pathlib import Path


def read_folder(folder: Path) -> dict[Path, bytes]:
    """The files below the folder, read by another process: one that closes a file of a SQLite database loses its own
    locks on it, and the next process that opens the database would truncate what is mapped into memory here."""
    # Exit code 1: a file has changed, or is gone meanwhile.
    packed = subprocess.run(["tar", "-c", "-C", str(folder), "."], capture_output=True, check=False)
    assert packed.returncode in (0, 1), packed.stderr
    with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as tar:
        return {folder / member.name: file.read() for member in tar if (file := tar.extractfile(member))}
