"""Output of commands: tables for people, JSON for programs, errors, and colour on terminals."""

from __future__ import annotations

import os
import sys

from penstock.cli.output.table import print_columns, print_table
from penstock.cli.output.text import clean, paint

__all__ = ["clean", "is_one_stream", "paint", "print_columns", "print_error", "print_json", "print_table"]


def print_json(value: object) -> None:
    import msgspec

    print(msgspec.json.encode(value).decode(), flush=True)


def print_error(text: str) -> None:
    """Print to stderr, as all commands do with errors and notes."""
    print(clean(text), file=sys.stderr, flush=True)


def is_one_stream() -> bool:
    """Whether stdout and stderr are the same terminal, pipe or file: a message on both would be read twice."""
    try:
        return os.path.sameopenfile(sys.stdout.fileno(), sys.stderr.fileno())
    except (OSError, ValueError):  # closed, or not a file
        return False
