"""SQL written for Snowflake, translated to SQL of DuckDB.

    for statement in translate("select nvl(a, 0) from t", database="KBC_1", schema="WORKSPACE_5"):
        connection.execute(statement.sql)

What is translated, and what differs, is in docs/components/snowflake-transformation.md. The parser takes some 200 ms to
import, so it is imported with the first statement; `load()` does it ahead of time.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from penstock.sql.dialect.errors import NotTranslated, SqlError, SqlSyntaxError, SqlTooLarge, UnknownVariable

if TYPE_CHECKING:
    from penstock.sql.dialect.translation import Translated

__all__ = [
    "PREPARATION",
    "NotTranslated",
    "SqlError",
    "SqlSyntaxError",
    "SqlTooLarge",
    "UnknownVariable",
    "check_variables",
    "explain_failure",
    "load",
    "translate",
]

PREPARATION = ("SET TimeZone = 'UTC'",)
"""What a connection has to run before translated statements. DuckDB's order of NULLs must stay the default."""


def translate(sql: str, *, database: str, schema: str) -> list[Translated]:
    """One statement of DuckDB for every statement of Snowflake. Raises SqlError."""
    from penstock.sql.dialect import translation

    return translation.translate(sql, database=database, schema=schema)


def check_variables(sql: str, defined: frozenset[str] = frozenset()) -> frozenset[str]:
    """Raise UnknownVariable for a `$name` that is not in `defined` and that no statement before it sets; return those
    that are set after the text. Raises SqlError for a text that cannot be read."""
    from penstock.sql.dialect import variables

    return variables.check_variables(sql, defined)


def explain_failure(message: str, sql: str, executed: str) -> SqlError | None:
    """What DuckDB says of the translated statement `executed`, in Snowflake's words and with its place in `sql`; None
    if it is not about a table or a column that does not exist."""
    from penstock.sql.dialect import failures

    return failures.explain_failure(message, sql, executed)


def load() -> None:
    """Import the parser."""
    import_module("penstock.sql.dialect.translation")
