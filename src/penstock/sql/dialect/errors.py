"""Errors of SQL, worded and numbered as Snowflake does."""

from __future__ import annotations

from penstock.foundation.errors import Invalid


class SqlError(Invalid):
    """The statement is wrong; `line` and `position` say where, if known: lines count from 1, positions from 0."""

    code = "sql.compilationError"
    number = ""
    """The error code of Snowflake; empty where Snowflake has no such error."""
    sql_state = ""
    line: int | None = None
    position: int | None = None

    def __init__(
        self, message: str, *, line: int | None = None, position: int | None = None, shows_place: bool = False
    ) -> None:
        place = f" error line {line} at position {position}" if shows_place and line is not None else ""
        super().__init__(f"SQL compilation error:{place}\n{message}")
        self.line, self.position = line, position


class SqlSyntaxError(SqlError):
    code = "sql.syntaxError"
    number, sql_state = "001003", "42000"

    def __init__(self, line: int, position: int, unexpected: str) -> None:
        where = f"line {line} at position {position}"
        super().__init__(f"syntax error {where} unexpected '{unexpected}'.", line=line, position=position)


class UnknownVariable(SqlError):
    code = "sql.unknownVariable"
    number, sql_state = "002211", "02000"

    def __init__(self, name: str, line: int, position: int) -> None:
        super().__init__(f"Session variable '${name}' does not exist", line=line, position=position, shows_place=True)


class ObjectMissing(SqlError):
    code = "sql.objectMissing"
    number, sql_state = "002003", "42S02"

    def __init__(self, kind: str, name: str, line: int | None = None, position: int | None = None) -> None:
        super().__init__(f"{kind} '{name}' does not exist or not authorized.", line=line, position=position)


class InvalidIdentifier(SqlError):
    code = "sql.invalidIdentifier"
    number, sql_state = "000904", "42000"

    def __init__(self, name: str, line: int | None = None, position: int | None = None) -> None:
        super().__init__(f"invalid identifier '{name}'", line=line, position=position, shows_place=True)


class NotTranslated(SqlError):
    """Snowflake would run it; here it is not known, or it would return other rows."""

    code = "sql.notTranslated"
    number, sql_state = "000002", "0A000"


class SqlTooLarge(SqlError):
    code = "sql.tooLarge"
