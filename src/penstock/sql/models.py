"""What services and the engine process tell each other about workspaces, statements and results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

if TYPE_CHECKING:
    from penstock.foundation.settings import Settings

Dialect = Literal["snowflake", "duckdb"]
AnyDialect = Dialect | Literal["postgresql"]
"""`postgresql` is that of the database, with the catalog that clients of PostgreSQL query."""
FileFormat = Literal["csv", "parquet", "arrow"]


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What one engine process may use."""

    memory_megabytes: int = 1024
    """Of the whole process; the database gets most of it, and writes temporary files beyond that."""
    threads: int = 2
    temp_megabytes: int = 10_000
    disk_megabytes: int = 50_000
    """Of the workspace's own tables, results and temporary files together."""
    statement_seconds: float = 3600
    idle_seconds: float = 120
    """After how long without a request the process ends."""

    @classmethod
    def of(cls, settings: Settings) -> Limits:
        return cls(
            memory_megabytes=settings.sql_memory_megabytes,
            threads=settings.sql_threads,
            temp_megabytes=settings.sql_temp_megabytes,
            disk_megabytes=settings.sql_disk_megabytes,
            statement_seconds=settings.sql_statement_timeout,
            idle_seconds=settings.sql_idle_timeout,
        )


class Workspace(msgspec.Struct, frozen=True):
    project_id: int
    id: int
    schema: str
    """Its own schema, `WORKSPACE_{id}`: the only one in which it can change anything."""
    database: str
    """The name of its catalog, `KBC_{project id}`."""


class TableName(msgspec.Struct, frozen=True):
    """A name of a table in a statement, as it is written there."""

    schema: str
    name: str


class Names(msgspec.Struct, frozen=True):
    """The tables that a statement may read, besides those of the workspace."""

    tables: tuple[TableName, ...] = ()
    all: bool = False
    """Whether it lists tables, so that all readable ones have to be there."""


class Statement(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    """Chosen by the caller, unique in the workspace; the result is found by it."""
    sql: str
    """One statement."""
    session_id: str = ""
    """Temporary tables, variables and transactions live in a session. Without one the statement has its own."""
    needs_session: bool = False
    """Whether it is refused if the session is not there any more: the transaction that it belongs to is gone with it,
    or temporary tables and variables that it may use."""
    dialect: AnyDialect = "snowflake"
    timeout_seconds: float | None = None
    """At most that of the settings."""
    is_read_only: bool = False


class ResultColumn(msgspec.Struct, frozen=True):
    name: str
    type: str
    """Of the database, with its parameters: `DECIMAL(18,2)`."""
    nullable: bool = True
    length: int | None = None


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What a statement did. Rows are read with `Engine.page`."""

    columns: list[ResultColumn] = []
    """Empty if the statement returns no rows: a result without rows has columns."""
    number_of_rows: int = 0
    rows_affected: int = 0
    message: str = ""
    in_transaction: bool = False
    """Whether the session has an open transaction after it."""
    has_temporary: bool = False
    """Whether the session has temporary tables or views, or variables after it."""

    @property
    def has_session_state(self) -> bool:
        """Whether something would be lost with the session."""
        return self.in_transaction or self.has_temporary


class Page(msgspec.Struct, frozen=True, kw_only=True):
    columns: list[ResultColumn]
    rows: list[list[str | None]]
    number_of_rows: int
    """Of the whole result."""


class EncodedRows(msgspec.Struct, frozen=True):
    """Rows of a result as messages of the PostgreSQL protocol; none if the database cannot encode them."""

    content: bytes = b""
    count: int = 0


class WorkspaceTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table or a view in the workspace's own schema."""

    name: str
    is_view: bool
    columns: list[ResultColumn]
