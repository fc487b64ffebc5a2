"""The columns of a statement that is not executed yet."""

from __future__ import annotations

from collections.abc import Sequence

from penstock.pgwire.responses import Field
from penstock.pgwire.statements import CHANGES, Statement, split_query
from penstock.pgwire.types import TEXT

_QUERIES = ("select", "with", "from", "values", "table", "(", "pivot", "unpivot")
EXPLAINED = [Field("explain_key", TEXT, -1), Field("explain_value", TEXT, -1)]


def find_query(statement: Statement, sql: str) -> str | None:
    """A query with the same columns, which can be described; None if the statement returns no rows.

    `sql` is the statement with its values."""
    if statement.main_words[0] in CHANGES:
        return _find_returned(sql) if statement.returning is not None else None
    return sql if statement.first_word in _QUERIES else None


def _find_returned(sql: str) -> str:
    change = next(split_query(sql))
    target = _find_target(change.main_words)
    return f"{change.text[: change.main]} SELECT {change.text[change.returning :]} FROM {target}"


def _find_target(words: Sequence[str]) -> str:
    """The name of the table that is changed, and its alias."""
    # UPDATE name, DELETE FROM name, INSERT INTO name, INSERT OR REPLACE INTO name
    start = 1 if words[0] == "update" else 4 if words[1:2] == ("or",) else 2
    end = start + 1
    while words[end : end + 1] == (".",):
        end += 2
    alias = f" AS {words[end + 1]}" if words[end : end + 1] == ("as",) and len(words) > end + 1 else ""
    return "".join(words[start:end]) + alias


def is_listing(statement: Statement) -> bool:
    """Whether only running it says which columns it has, which changes nothing."""
    return statement.first_word in ("show", "describe", "desc", "summarize")
