"""What a component wrote, looked at with suspicion: only plain files and folders inside its own folder are taken.

A link could lead anywhere, and opening a pipe could wait forever.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from penstock.foundation.errors import Invalid
from penstock.foundation.files.removal import remove_tree

MANIFEST = ".manifest"
MANIFEST_BYTES = 10_000_000

T = TypeVar("T")


class BadOutput(Invalid):
    """What the component wrote cannot be taken; the sentence names the file."""


def remove_entry(path: Path) -> None:
    """Remove whatever a component made of it: a folder, a file, a link to somewhere else."""
    if left := remove_tree(path):
        raise BadOutput(f'"{path.name}" in the data folder cannot be removed: {left}.')


def list_entries(folder: Path) -> list[Path]:
    """List in order of name, without names that begin with a dot; none if there is no folder."""
    for ancestor in (folder.parent, folder):
        if ancestor.is_symlink():
            raise BadOutput(f'"{ancestor.name}" in the data folder is a link, not a folder.')
    if not folder.exists():
        return []
    if not folder.is_dir():
        raise BadOutput(f'"{folder.name}" in the data folder is not a folder.')
    entries = sorted(entry for entry in folder.iterdir() if not entry.name.startswith("."))
    for entry in entries:
        if not is_text(entry.name):
            raise BadOutput(f'The name of the file {entry.name!a} in "{folder.name}" is not UTF-8.')
    return entries


def is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def is_plain(path: Path) -> bool:
    return path.is_file() and not path.is_symlink() and os.access(path, os.R_OK)


def check_entry(path: Path, what: str) -> None:
    """Accept a plain file, or a folder of plain files: slices."""
    if path.is_dir() and not path.is_symlink():
        for entry in list_entries(path):
            if not is_plain(entry):
                raise BadOutput(f'The slice "{path.name}/{entry.name}" is not a plain file.')
    elif not is_plain(path):
        raise BadOutput(f'The {what} "{path.name}" is not a plain file.')


def get_size(path: Path) -> int:
    return sum(entry.stat().st_size for entry in (list_entries(path) if path.is_dir() else [path]))


def read_manifest(path: Path) -> dict[str, Any]:
    """Return what is in the manifest next to a file; nothing if there is none."""
    file = path.with_name(path.name + MANIFEST)
    if not file.is_symlink() and not file.exists():
        return {}
    if not is_plain(file):
        raise BadOutput(f'The manifest "{file.name}" is not a plain file.')
    return read_json(file, dict[str, Any], MANIFEST_BYTES, f'The manifest "{file.name}" cannot be read')


def read_json(file: Path, kind: type[T], most_bytes: int, complaint: str) -> T:
    """Raises the complaint with the reason behind it."""
    if not is_plain(file) or file.parent.is_symlink():
        raise BadOutput(f"{complaint}: it is not a plain file.")
    if file.stat().st_size > most_bytes:
        raise BadOutput(f"{complaint}: it is larger than {most_bytes:,} bytes.")
    try:
        return msgspec.json.decode(file.read_bytes(), type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadOutput(f"{complaint}: {error}.") from error
