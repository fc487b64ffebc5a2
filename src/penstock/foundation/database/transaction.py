"""Questions and changes, inside of one transaction."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

import msgspec
from sqlalchemy import Connection, Executable, Select

T = TypeVar("T")


class Transaction:
    """Asks queries and makes changes; whoever opened it commits."""

    def __init__(self, connection: Connection, *, is_writing: bool = True) -> None:
        self.connection, self._is_writing = connection, is_writing

    @property
    def is_side_by_side(self) -> bool:
        """Whether others may claim jobs while this transaction goes on."""
        return self.connection.dialect.name == "postgresql"

    def one(self, query: Executable, into: type[T], **values: Any) -> T | None:
        """`values` are for a query that was made before: to make one takes longer than to ask it."""
        row = self.connection.execute(query, values).mappings().first()
        return into(**_fields(row)) if row else None

    def all(self, query: Executable, into: type[T], **values: Any) -> list[T]:
        return [into(**_fields(row)) for row in self.connection.execute(query, values).mappings()]

    def converted(self, query: Executable, into: type[T]) -> list[T]:
        """As all(), for rows with documents inside that are structs themselves."""
        found = self.connection.execute(query).mappings()
        return [msgspec.convert({str(name): value for name, value in row.items()}, into) for row in found]

    def value(self, query: Executable, **values: Any) -> Any:
        return self.connection.execute(query, values).scalar()

    def change(self, statement: Executable, rows: list[dict[str, Any]] | None = None) -> int:
        """Execute and return how many rows were changed."""
        return self.connection.execute(statement, rows).rowcount

    def unclaimed(self, query: Select[Any]) -> Select[Any]:
        """The same query; if this transaction writes, nobody claims the jobs it finds until it ends."""
        return query.with_for_update() if self._is_writing else query


def _fields(row: Mapping[Any, Any]) -> dict[str, Any]:
    return cast(dict[str, Any], dict(row))
