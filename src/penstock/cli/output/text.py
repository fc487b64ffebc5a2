"""Text for a terminal: without control characters, with colours, as wide as it is shown."""

from __future__ import annotations

import os
import re
from typing import IO

_RED, _GREEN, _YELLOW, _CYAN = "31", "32", "33", "36"
COLOURS = {
    "error": _RED,
    "wrong": _RED,
    "warning": _YELLOW,
    "note": _YELLOW,
    "cancelled": _YELLOW,
    "terminated": _YELLOW,
    "ok": _GREEN,
    "success": _GREEN,
    "processing": _CYAN,
}

# Control characters such as escape sequences: text from other servers must not control the terminal.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def clean(text: str) -> str:
    return _CONTROL.sub("�", text)


def paint(word: str, stream: IO[str]) -> str:
    """The word in its colour, if the stream is a terminal and NO_COLOR is not set."""
    colour = COLOURS.get(word)
    is_seen = colour and stream.isatty() and not os.environ.get("NO_COLOR")
    return f"\x1b[{colour}m{word}\x1b[0m" if is_seen else word


def shown_width(text: str) -> int:
    """How many columns of a terminal the text takes: wide characters take two, combining ones none."""
    return len(text) if text.isascii() else sum(map(_width, text))


def truncate(text: str, width: int) -> str:
    """Shorten the text to this width; a truncated text ends with an ellipsis."""
    if shown_width(text) <= width:
        return text
    start, used = "", 0
    for char in text:
        used += _width(char)
        if used > width - 1:
            break
        start += char
    return f"{start}…"


def _width(char: str) -> int:
    import unicodedata

    if unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
