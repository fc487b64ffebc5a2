"""The place that the database shows in the text of an error: a line of the statement, and a caret below it."""

from __future__ import annotations

import re
import unicodedata

from penstock.sql.errors import Position

PLACE = re.compile(r"^LINE (\d+): (.*)", re.MULTILINE)
_CUT = "..."
"""What the database writes in place of the rest of a long line."""
_CARET = re.compile(r"^( *)\^\s*$", re.MULTILINE)


def find_position(text: str, sql: str) -> Position | None:
    place, caret = PLACE.search(text), _CARET.search(text)
    if not place or not caret:
        return None
    line, shown = int(place[1]), place[2]
    index = _find_index(shown, max(0, len(caret[1]) - (place.start(2) - place.start())))
    if shown.startswith(_CUT):
        before = _find_cut(shown, sql.split("\n")[line - 1 : line])
        return None if before is None else Position(line, before + index + 1)
    return Position(line, index + 1)


def _find_cut(text: str, lines: list[str]) -> int | None:
    """How many characters of a long line are before those that are shown of it; None if that cannot be known."""
    excerpt = text.removeprefix(_CUT).removesuffix(_CUT)
    if len(lines) != 1 or lines[0].count(excerpt) != 1:
        return None
    return lines[0].index(excerpt) - len(_CUT)


def _find_index(text: str, width: int) -> int:
    """The character below which the caret is: the database places it by how wide characters are shown."""
    passed = 0
    for index, character in enumerate(text):
        own = _width(character)
        if own and passed + own > width:
            return index
        passed += own
    return len(text)


def _width(character: str) -> int:
    if unicodedata.category(character) in ("Cc", "Cf", "Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
