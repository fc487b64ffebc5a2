"""What the prompt completes: keywords, and the names of buckets, tables and columns of the project."""

from __future__ import annotations

import re
from functools import cached_property

from penstock.client import Client, ClientError, Table

KEYWORDS = (
    *("SELECT", "FROM", "WHERE", "GROUP BY", "ORDER BY", "LIMIT", "HAVING", "QUALIFY", "JOIN", "LEFT JOIN", "ON"),
    *("USING", "WITH", "AS", "AND", "OR", "NOT", "IN", "IS NULL", "LIKE", "ILIKE", "BETWEEN", "CASE", "WHEN", "THEN"),
    *("ELSE", "END", "DISTINCT", "UNION ALL", "COUNT(*)", "DESCRIBE", "SUMMARIZE", "SHOW TABLES", "CREATE TEMP TABLE"),
)
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)


class Completion:
    """Called by readline with the text before the cursor, since the last space or comma, and the number of the
    suggestion."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._found: list[str] = []

    def __call__(self, text: str, number: int) -> str | None:
        if number == 0:
            self._found = self.suggest(text)
        return self._found[number] if number < len(self._found) else None

    def suggest(self, text: str) -> list[str]:
        start = text.lower()
        keywords = [word if text[:1].isupper() or not text else word.lower() for word in KEYWORDS]
        words = (*keywords, *self._names) if text else self._names
        bare = start.replace('"', "")
        return [word for word in words if word.lower().startswith(start) or (bare and _bare(word).startswith(bare))]

    @cached_property
    def _names(self) -> list[str]:
        try:
            tables = self._client.tables.list()
        except ClientError:
            return []
        columns = {quote(column) for table in tables for column in table.columns}
        return sorted({_table_name(table) for table in tables}) + sorted(columns)


def quote(name: str) -> str:
    return name if _PLAIN.fullmatch(name) else '"' + name.replace('"', '""') + '"'


def _table_name(table: Table) -> str:
    bucket, _, name = table.id.rpartition(".")
    return f"{quote(bucket)}.{quote(name)}"


def _bare(word: str) -> str:
    return word.lower().replace('"', "")
