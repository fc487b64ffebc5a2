"""Restore a data folder from a file that `penstock backup` wrote."""

from __future__ import annotations

import shlex
import signal
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", type=Path, help="the backup")
    parser.add_argument("--data-dir", metavar="DIR", help="the folder to create; it must be new or empty (.penstock)")
    parser.add_argument("--key-file", metavar="FILE", help="the stack's key, if it is not in the backup")


def run(options: Namespace) -> int:
    from penstock.server.backups import restore_backup
    from penstock.settings import read_settings

    settings = read_settings({"data_dir": options.data_dir, "key_file": options.key_file})
    folder = settings.folder
    signal.signal(signal.SIGTERM, _stop)
    header = restore_backup(options.file, folder, settings.key if settings.key_file else None)
    key = f" --key-file {shlex.quote(options.key_file or 'FILE')}" if options.key_file or not header.has_key else ""
    print(f"Restored {folder} as it was at {header.created}.")
    print(f"Start it: penstock up --data-dir {shlex.quote(str(folder))}{key}")
    return 0


def _stop(_number: int, _frame: object) -> None:
    """Exit through every `finally`, so that no partial file remains."""
    sys.exit(143)
