"""Queries and changes, inside one transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar, cast

import msgspec
from sqlalchemy import Connection, Executable, Select, Table

from penstock.foundation.database.bulk import insert_columns, insert_rows

T = TypeVar("T")


class Transaction:
    """Runs queries and makes changes; the code that opened it commits."""

    def __init__(self, connection: Connection, *, is_writing: bool = True) -> None:
        self.connection, self._is_writing = connection, is_writing

    @property
    def has_concurrent_writers(self) -> bool:
        """Whether other transactions may write at the same time, as on PostgreSQL."""
        return self.connection.dialect.name == "postgresql"

    def one(self, query: Executable, into: type[T], **values: Any) -> T | None:
        """`values` are bound to a precompiled query: building one takes longer than running it."""
        row = self.connection.execute(query, values).mappings().first()
        return into(**_fields(row)) if row else None

    def all(self, query: Executable, into: type[T], **values: Any) -> list[T]:
        found = self.connection.execute(query, values)
        # Look up the names once, not per row: there may be thousands.
        names = [str(name) for name in found.keys()]  # noqa: SIM118
        return [into(**dict(zip(names, row, strict=True))) for row in found]

    def converted(self, query: Executable, into: type[T], **values: Any) -> list[T]:
        """Like all(), for rows that contain documents which are structs themselves."""
        found = self.connection.execute(query, values).mappings()
        return [msgspec.convert({str(name): value for name, value in row.items()}, into) for row in found]

    def value(self, query: Executable, **values: Any) -> Any:
        return self.connection.execute(query, values).scalar()

    def change(self, statement: Executable, rows: list[dict[str, Any]] | None = None) -> int:
        """Execute and return how many rows were changed."""
        return self.connection.execute(statement, rows).rowcount

    def insert_all(self, table: Table, rows: Sequence[Mapping[str, Any]], on_conflict: str = "") -> None:
        """Many rows in few statements; see bulk.py."""
        insert_rows(self.connection, table, rows, on_conflict)

    def insert_columns(self, table: Table, columns: Mapping[str, Sequence[Any]], on_conflict: str = "") -> None:
        """The same for values by column."""
        insert_columns(self.connection, table, columns, on_conflict)

    def unclaimed(self, query: Select[Any]) -> Select[Any]:
        """The same query; in a writing transaction, the jobs it finds cannot be claimed until it ends."""
        return query.with_for_update() if self._is_writing else query


def _fields(row: Mapping[Any, Any]) -> dict[str, Any]:
    return cast(dict[str, Any], dict(row))
