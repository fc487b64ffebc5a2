"""The columns of a statement that is not executed yet."""

from __future__ import annotations

import re

from penstock.server.postgresql.responses import Field
from penstock.server.postgresql.statements import Statement
from penstock.server.postgresql.types import TEXT

_QUERIES = ("select", "with", "from", "values", "table", "(", "pivot", "unpivot")
_NAME = r'(?:"(?:[^"]|"")*"|\w+)'
_CHANGE = re.compile(
    rf"\s*(?:insert\s+(?:or\s+\w+\s+)?into|update|delete\s+from|merge\s+into)\s+({_NAME}(?:\s*\.\s*{_NAME})*)", re.I
)
_RETURNING = re.compile(r".*\breturning\b(.*)", re.I | re.S)
EXPLAINED = [Field("explain_key", TEXT, -1), Field("explain_value", TEXT, -1)]


def find_query(statement: Statement, sql: str) -> str | None:
    """A query with the same columns, which can be described; None if the statement returns no rows."""
    if statement.first_word in _QUERIES:
        return sql
    changed, returning = _CHANGE.match(sql), _RETURNING.match(sql)
    if changed and returning:
        return f"SELECT {returning[1]} FROM {changed[1]}"
    return None


def is_listing(statement: Statement) -> bool:
    """Whether only running it says which columns it has, which changes nothing."""
    return statement.first_word in ("show", "describe", "desc", "summarize")
