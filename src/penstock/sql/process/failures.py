"""Errors of the database as errors of a statement, with their place in it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import duckdb

from penstock.sql.dialect import SqlError
from penstock.sql.errors import Position, StatementFailed
from penstock.sql.messages import Failed

_PLACE = re.compile(r"^LINE (\d+): (.*)", re.MULTILINE)
_CUT = "..."
"""What the database writes in place of the rest of a long line."""
_CARET = re.compile(r"^( *)\^\s*$", re.MULTILINE)
_ADVICE = re.compile(r"\n\nThis error signals .*", re.DOTALL)


def to_failure(error: Exception, sql: str = "") -> StatementFailed:
    """The text of the database, and the position that it shows in the statement."""
    if isinstance(error, UnicodeError):
        return StatementFailed(f"The statement is not valid Unicode: {error}")
    text = _ADVICE.sub("", str(error))
    return StatementFailed(text.strip(), _find_position(text, sql))


def of_dialect(error: SqlError) -> StatementFailed:
    """An error of a statement of Snowflake."""
    position = Position(error.line, (error.position or 0) + 1) if error.line else None
    return StatementFailed(str(error), position, error_code=error.number, sql_state=error.sql_state)


def _find_position(text: str, sql: str) -> Position | None:
    place, caret = _PLACE.search(text), _CARET.search(text)
    if not place or not caret:
        return None
    line, shown = int(place[1]), place[2]
    index = _find_index(shown, max(0, len(caret[1]) - (place.start(2) - place.start())))
    if shown.startswith(_CUT):
        before = _find_cut(shown, sql.split("\n")[line - 1 : line])
        return None if before is None else Position(line, before + index + 1)
    return Position(line, index + 1)


def _find_cut(shown: str, lines: list[str]) -> int | None:
    """How many characters of a long line are before those that are shown of it; None if that cannot be known."""
    excerpt = shown.removeprefix(_CUT).removesuffix(_CUT)
    if len(lines) != 1 or lines[0].count(excerpt) != 1:
        return None
    return lines[0].index(excerpt) - len(_CUT)


def _find_index(shown: str, width: int) -> int:
    """The character below which the caret is: the database places it by how wide characters are shown."""
    passed = 0
    for index, character in enumerate(shown):
        own = _width(character)
        if own and passed + own > width:
            return index
        passed += own
    return len(shown)


def _width(character: str) -> int:
    if unicodedata.category(character) in ("Cc", "Cf", "Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def in_query(error: Exception, sql: str) -> StatementFailed:
    """An error of a query that was written in parentheses, from the second line on."""
    text = str(error)
    place = _PLACE.search(text)
    if place and int(place[1]) > 1:
        text = f"{text[: place.start()]}LINE {int(place[1]) - 1}: {place[2]}{text[place.end() :]}"
    elif place:
        text = text[: place.start()]
    return to_failure(duckdb.Error(text), sql)


@contextmanager
def of_statement(sql: str, executed: str) -> Generator[None]:
    """Errors of a translated statement have no position: that of the database is in a text that users never see."""
    try:
        yield
    except duckdb.InterruptException:
        raise
    except (duckdb.Error, StatementFailed) as error:
        failure = error if isinstance(error, StatementFailed) else to_failure(error, sql)
        position = failure.position if sql == executed else None
        raise StatementFailed(failure.message, position) from error


def to_message(error: Exception) -> Failed:
    details: dict[str, Any] = {}
    if isinstance(error, duckdb.Error | UnicodeError):
        error = to_failure(error)
    for name in ("position", "seconds", "subject", "error_code", "sql_state"):
        if getattr(error, name, None) is not None:
            details[name] = getattr(error, name)
    message = str(error.args[0]) if error.args else ""
    return Failed(kind=type(error).__name__, message=message, **details)
