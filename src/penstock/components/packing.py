"""Packs the folder of a component into an archive. The same files give the same bytes, whenever and wherever."""

from __future__ import annotations

import os
import shutil
import stat
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from penstock.components.archives import BadArchive

LEFT_OUT = (".git", ".venv", "__pycache__", ".pytest_cache", ".ruff_cache", ".mypy_cache", ".DS_Store")
"""What tools leave in a folder, and what belongs to one machine only."""
_TIME = (1980, 1, 1, 0, 0, 0)
_UNIX = 3


def pack_folder(folder: Path, target: BinaryIO) -> None:
    """Raises BadArchive for a link or anything else that is not a plain file."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in list_files(folder):
            _add(archive, path, path.relative_to(folder).as_posix())


def list_files(folder: Path) -> Iterator[Path]:
    for entry in sorted(folder.iterdir()):
        if entry.name in LEFT_OUT:
            continue
        if entry.is_symlink() or not (entry.is_dir() or entry.is_file()):
            raise BadArchive(f"{entry} is not a plain file, and an archive holds only these. Replace or remove it.")
        if entry.is_dir():
            yield from list_files(entry)
        else:
            yield entry


def _add(archive: zipfile.ZipFile, path: Path, name: str) -> None:
    entry = zipfile.ZipInfo(name, _TIME)
    entry.create_system, entry.compress_type = _UNIX, zipfile.ZIP_DEFLATED
    entry.external_attr = (stat.S_IFREG | (0o755 if os.access(path, os.X_OK) else 0o644)) << 16
    with path.open("rb") as source, archive.open(entry, "w") as target:
        shutil.copyfileobj(source, target)
