"""The data folder: it exists, has a supported format, is writable, has free space, and its key is protected."""

from __future__ import annotations

import shlex
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

from penstock.app import find_schema
from penstock.cli.doctor.check import Check, note, ok, wrong
from penstock.foundation.errors import AppError, Invalid
from penstock.foundation.files.ballast import Ballast
from penstock.foundation.secrets import read_key
from penstock.foundation.stack import read_format
from penstock.settings import Settings

LITTLE_SPACE, NO_SPACE = 1_000_000_000, 100_000_000


def examine(settings: Settings) -> Iterator[Check]:
    folder = settings.folder
    yield check_folder(folder)
    if (folder / "format").exists():
        yield check_format(folder)
        yield check_key(settings.key)
        yield check_permissions(folder)
    yield check_space(folder)


def check_folder(folder: Path) -> Check:
    existing = _existing(folder)
    if not existing.is_dir():
        return wrong("data folder", f"{existing} is not a folder", "Name another one: --data-dir DIR")
    try:
        with tempfile.TemporaryFile(dir=existing):
            pass
    except OSError as error:
        fix = f"Give yourself write permission for {existing}, or name another folder: --data-dir DIR"
        return wrong("data folder", f"{existing} cannot be written to: {error.strerror}", fix)
    if existing != folder:
        return note("data folder", f"{folder} does not exist yet; `penstock up` creates it")
    return ok("data folder", str(folder))


def check_format(folder: Path) -> Check:
    try:
        number = read_format(folder)
    except AppError as error:
        return wrong("format", error.message, "penstock restore FILE --data-dir NEW")
    newest = find_schema().format
    if number > newest:
        return wrong("format", f"{number}, but this version reads up to {newest}", "Install the newest Penstock.")
    if number < newest:
        return note("format", f"{number}; the next start brings it to {newest} and keeps a copy of the metadata")
    return ok("format", str(number))


def check_key(key: Path) -> Check:
    if not key.is_file():
        fix = "Put the key back, or give its location: --key-file FILE. Without it the stack's secrets cannot be read."
        return wrong("key", f"{key} is missing", fix)
    if key.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        return wrong("key", f"{key} can be read by others", f"chmod 600 {key}")
    if not _is_key(key):
        return wrong("key", f"{key} does not hold a key", "Put the right file there; a backup may have it.")
    return ok("key", f"{key}, readable by its owner only")


def check_permissions(folder: Path) -> Check:
    """Others may pass through a folder, which components of root's stack need, but neither read nor change it."""
    exposed = [str(entry) for entry in sorted(folder.iterdir()) if _is_exposed(entry)]
    if exposed:
        fix = f"chmod go-rw {shlex.join(exposed)}"
        return wrong("permissions", f"others can read or change {', '.join(exposed)}", fix)
    return ok("permissions", "only the owner reads what is in it")


def check_space(folder: Path) -> Check:
    free = shutil.disk_usage(_existing(folder)).free
    text, fix = f"{free / 1e9:.1f} GB free", f"Free space on the disk of {folder}."
    if (folder / "format").exists() and Ballast(folder).is_read_only():
        return wrong("disk space", f"{text}: the stack is read-only", fix)
    if free < NO_SPACE:
        return wrong("disk space", text, fix)
    return note("disk space", f"only {text}", fix) if free < LITTLE_SPACE else ok("disk space", text)


def _existing(path: Path) -> Path:
    """The folder, or its nearest existing parent."""
    return next(folder for folder in (path, *path.parents) if folder.exists())


def _is_exposed(entry: Path) -> bool:
    return not entry.is_symlink() and bool(entry.stat().st_mode & 0o066)


def _is_key(key: Path) -> bool:
    try:
        return bool(read_key(key))
    except (OSError, Invalid):
        return False
