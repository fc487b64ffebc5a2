"""Write a data folder to one file, even while its stack is running. A name ending in .gz is compressed."""

from __future__ import annotations

import signal
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", type=Path, help="the file to write, such as penstock.tar or .tar.gz")
    parser.add_argument("--data-dir", metavar="DIR", help="the data folder (.penstock)")
    parser.add_argument("--key-file", metavar="FILE", help="the stack's key, if not in the data folder")
    parser.add_argument("--force", action="store_true", help="replace the file if it exists")


def run(options: Namespace) -> int:
    from penstock.server.backups import write_backup
    from penstock.settings import read_settings

    settings = read_settings({"data_dir": options.data_dir, "key_file": options.key_file})
    signal.signal(signal.SIGTERM, _stop)
    written = write_backup(settings.folder, options.file.absolute(), key=settings.key, force=options.force)
    print(f"Backed up {settings.folder} to {options.file}: {written.files} files, {written.bytes:,} bytes.")
    print(_advice(written.has_key, settings.key))
    return 0


def _advice(has_key: bool, key: Path) -> str:
    if has_key:
        return "It contains the stack's key: keep it like a password."
    return (
        f"It does not contain the stack's key ({key}): keep that too, or its secrets cannot be read. The restored "
        "stack makes new tokens and, for TLS, a new authority."
    )


def _stop(_number: int, _frame: object) -> None:
    """Exit through every `finally`, so that no partial file remains."""
    sys.exit(143)
