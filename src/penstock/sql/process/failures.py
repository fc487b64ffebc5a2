"""Errors of the database as errors of a statement, with their place in it."""

from __future__ import annotations

import re
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import duckdb

from penstock.sql.dialect import SqlError, explain_failure
from penstock.sql.errors import Position, StatementFailed
from penstock.sql.messages import Failed
from penstock.sql.models import Statement
from penstock.sql.places import PLACE, find_position
from penstock.sql.process.introspection import hide_folders

_ADVICE = re.compile(r"\n\nThis error signals .*", re.DOTALL)


def to_failure(error: Exception, sql: str = "") -> StatementFailed:
    """The text of the database, and the position that it shows in the statement."""
    if isinstance(error, UnicodeError):
        return StatementFailed(f"The statement is not valid Unicode: {error}")
    text = _ADVICE.sub("", str(error))
    return StatementFailed(text.strip(), find_position(text, sql))


def of_dialect(error: SqlError) -> StatementFailed:
    """An error of a statement of Snowflake."""
    position = Position(error.line, (error.position or 0) + 1) if error.line else None
    return StatementFailed(str(error), position, error_code=error.number, sql_state=error.sql_state)


def in_query(error: Exception, sql: str) -> StatementFailed:
    """An error of a query that was written in parentheses, from the second line on."""
    text = str(error)
    place = PLACE.search(text)
    if place and int(place[1]) > 1:
        text = f"{text[: place.start()]}LINE {int(place[1]) - 1}: {place[2]}{text[place.end() :]}"
    elif place:
        text = text[: place.start()]
    return to_failure(duckdb.Error(text), sql)


@contextmanager
def of_statement(statement: Statement, executed: str) -> Generator[None]:
    """Errors of a translated statement are in the words of its dialect, with their place in what was written. Others
    have no position: that of the database is in a text that users never see."""
    try:
        yield
    except duckdb.InterruptException:
        raise
    except (duckdb.Error, StatementFailed) as error:
        failure = error if isinstance(error, StatementFailed) else to_failure(error, executed)
        raise _in_dialect(failure, statement, executed) from error


def _in_dialect(failure: StatementFailed, statement: Statement, executed: str) -> StatementFailed:
    if statement.dialect == "snowflake" and (error := explain_failure(failure.message, statement.sql, executed)):
        return of_dialect(error)
    return failure if statement.sql == executed else StatementFailed(failure.message)


def to_message(error: Exception) -> Failed:
    details: dict[str, Any] = {}
    if isinstance(error, duckdb.Error | UnicodeError):
        error = to_failure(error)
    for name in ("position", "seconds", "subject", "error_code", "sql_state"):
        if getattr(error, name, None) is not None:
            details[name] = getattr(error, name)
    message = hide_folders(str(error.args[0])) if error.args else ""
    return Failed(kind=type(error).__name__, message=message, **details)
