"""Errors of the database as errors of a statement, with their place in it."""

from __future__ import annotations

import re
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import duckdb

from penstock.sql.errors import Position, StatementFailed
from penstock.sql.messages import Failed

_PLACE = re.compile(r"^LINE (\d+): ", re.MULTILINE)
_CARET = re.compile(r"^( *)\^\s*$", re.MULTILINE)
_ADVICE = re.compile(r"\n\nThis error signals .*", re.DOTALL)


def to_failure(error: Exception) -> StatementFailed:
    """The text of the database, without the lines that show the place: these are in the position."""
    if isinstance(error, UnicodeError):
        return StatementFailed(f"The statement is not valid Unicode: {error}")
    text = _ADVICE.sub("", str(error))
    return StatementFailed(text.strip(), _find_position(text))


def _find_position(text: str) -> Position | None:
    place, caret = _PLACE.search(text), _CARET.search(text)
    if not place or not caret:
        return None
    return Position(int(place[1]), max(1, len(caret[1]) - len(place[0]) + 1))


def in_query(error: Exception) -> StatementFailed:
    """An error of a query that was written in parentheses, from the second line on."""
    text = str(error)
    place = _PLACE.search(text)
    if place and int(place[1]) > 1:
        text = _PLACE.sub(f"LINE {int(place[1]) - 1}: ", text, count=1)
    elif place:
        text = text[: place.start()]
    return to_failure(duckdb.Error(text))


@contextmanager
def of_translation(is_translated: bool) -> Generator[None]:
    """Errors of a translated statement have no position: that of the database is in a text that users never see."""
    try:
        yield
    except duckdb.InterruptException:
        raise
    except (duckdb.Error, StatementFailed) as error:
        if not is_translated:
            raise
        failure = error if isinstance(error, StatementFailed) else to_failure(error)
        raise StatementFailed(failure.message) from error


def to_message(error: Exception) -> Failed:
    details: dict[str, Any] = {}
    if isinstance(error, duckdb.Error | UnicodeError):
        error = to_failure(error)
    for name in ("position", "seconds", "subject"):
        if getattr(error, name, None) is not None:
            details[name] = getattr(error, name)
    message = str(error.args[0]) if error.args else ""
    return Failed(kind=type(error).__name__, message=message, **details)
