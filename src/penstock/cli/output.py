"""Output of commands: columns for people, JSON for programs, errors, and colour on terminals."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Sequence
from typing import IO

COLOURS = {"error": "31", "warning": "33", "ok": "32", "note": "33", "wrong": "31"}

# Control characters such as escape sequences: text from other servers must not control the terminal.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def print_columns(rows: Iterable[Sequence[str]]) -> None:
    """Rows below each other, each column as wide as its widest value."""
    lines = [[clean(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())


def print_json(document: object) -> None:
    import msgspec

    print(msgspec.json.encode(document).decode(), flush=True)


def paint(word: str, stream: IO[str]) -> str:
    """The word in its colour, if the stream is a terminal and NO_COLOR is not set."""
    colour = COLOURS.get(word)
    is_seen = colour and stream.isatty() and not os.environ.get("NO_COLOR")
    return f"\x1b[{colour}m{word}\x1b[0m" if is_seen else word


def clean(text: str) -> str:
    return _CONTROL.sub("�", text)


def print_error(text: str) -> None:
    """To stderr; all commands print their errors and notes here."""
    print(clean(text), file=sys.stderr, flush=True)
