"""Errors of SQL, worded as Snowflake words them."""

from __future__ import annotations

from penstock.foundation.errors import Invalid


class SqlError(Invalid):
    """The statement is wrong; `line` and `position` say where, if known: lines count from 1, positions from 0."""

    code = "sql.compilationError"
    line: int | None = None
    position: int | None = None

    def __init__(self, message: str, *, line: int | None = None, position: int | None = None) -> None:
        super().__init__(f"SQL compilation error:\n{message}")
        self.line, self.position = line, position


class SqlSyntaxError(SqlError):
    code = "sql.syntaxError"

    def __init__(self, line: int, position: int, unexpected: str) -> None:
        where = f"line {line} at position {position}"
        super().__init__(f"syntax error {where} unexpected '{unexpected}'.", line=line, position=position)


class NotTranslated(SqlError):
    """Snowflake would run it; here it is not known, or it would return other rows."""

    code = "sql.notTranslated"


class SqlTooLarge(SqlError):
    code = "sql.tooLarge"
