"""Sessions as requested, stored and returned."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, Literal

import msgspec

from penstock.foundation.limits import Statements
from penstock.foundation.structs import Wire

BACKEND = "snowflake"
"""What workspaces present themselves as."""
SQL_CHARACTERS = 1_000_000

ShortText = Annotated[str, msgspec.Meta(max_length=255)]
Sql = Annotated[str, msgspec.Meta(max_length=SQL_CHARACTERS)]
LoginType = Literal[
    "default",
    "snowflake-person-sso",
    "snowflake-legacy-service",
    "snowflake-person-keypair",
    "snowflake-service-keypair",
]


class Status(StrEnum):
    INITIALIZING = "initializing"
    READY = "ready"
    LOADING = "loading"
    UNLOADING = "unloading"
    FAILED = "failed"
    DELETED = "deleted"


class NewSession(Wire, frozen=True, kw_only=True):
    branch_id: ShortText
    """Id of the branch, or `default`."""
    component_id: ShortText | None = None
    """Id of the component of the configuration that is edited."""
    configuration_id: ShortText | None = None
    """Id of the configuration that is edited. Its input mapping is loaded into the workspace."""
    load_mode: Literal["clean", "input"] = "clean"
    """`input` loads the input mapping of the configuration into the new workspace, `clean` leaves it empty."""
    login_type: LoginType | None = None
    """How programs sign in to the workspace: with a password or with a key."""


class SessionsQuery(Wire, frozen=True, kw_only=True):
    list_all: bool = False
    """Whether sessions of other users are listed too."""
    branch_id: ShortText = ""
    """Only sessions of this branch."""


class SessionQuery(Wire, frozen=True, kw_only=True):
    include_credentials: bool = False
    """Accepted for compatibility: private keys are returned once, when they are made."""


class SessionLoad(Wire, frozen=True, kw_only=True):
    mode: Literal["input", "input-preserve", "clean"]
    """`input` empties the workspace and loads the input mapping, `input-preserve` keeps other tables, `clean` only
    empties it."""
    table_id: ShortText | None = None
    """Name in the workspace of the one table to load. Other tables stay. Without it, all of the input mapping."""


class SessionUnload(Wire, frozen=True, kw_only=True):
    table_id: ShortText | None = None
    """Name in the workspace of the one table to write into Storage. Without it, all of the output mapping."""


class QueriesRequest(Wire, frozen=True, kw_only=True):
    queries: Statements[Sql]
    """The SQL statements, each of at most 1,000,000 characters. They run in this order."""


class PreviewRequest(Wire, frozen=True, kw_only=True):
    table_name: ShortText
    """Name of the table."""
    database_name: ShortText | None = None
    """Name of its database. Without it, that of the workspace."""
    schema_name: ShortText | None = None
    """Name of its schema. Without it, that of the workspace."""


class DdlQuery(Wire, frozen=True, kw_only=True):
    table_name: ShortText
    """Name of the table."""
    schema_name: ShortText | None = None
    """Name of its schema. Without it, that of the workspace."""
    database_name: ShortText | None = None
    """Name of its database. Without it, that of the workspace."""


class SchemaQuery(Wire, frozen=True, kw_only=True):
    only_workspace_schema: bool = False
    """Whether only the schema of the workspace itself is returned."""
    load_tables: bool = True
    """Whether the schemas are returned with their tables and columns."""


class SessionRow(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    project_id: int
    branch_id: int
    token_id: int
    component_id: str | None
    configuration_id: str | None
    workspace_id: int
    workspace_schema: str
    workspace_database: str
    login_type: str | None
    status: Status
    job_ids: list[int] = []
    """Of Storage: while they run, data is loaded or unloaded."""
    last_error: str | None = None
    created: datetime
    updated: datetime
    last_loaded: datetime | None = None


class Session(Wire, frozen=True, kw_only=True):
    id: str
    created_at: datetime
    updated_at: datetime
    status: Status
    user_id: str
    branch_id: str
    component_id: str | None
    configuration_id: str | None
    workspace_schema: str
    workspace_id: str
    workspace_database: str
    workspace_create_job_id: str | None = None
    workspace_load_jobs: list[Any] = []
    """Always empty: one client reads a list of lists, another a list of objects."""
    read_only_storage_access: bool = True
    shared: bool = False
    backend_type: str = BACKEND
    backend_size: str | None = None
    last_error: str | None = None
    workspace_login_type: str | None = None
    last_loaded_at: datetime | None = None


class Keys(Wire, frozen=True, kw_only=True):
    private_key: str
    public_key: str


class Password(Wire, frozen=True, kw_only=True):
    username: str
    password: str
    host: str
    database: str
    schema: str
    warehouse: str


class Started(Wire, frozen=True, kw_only=True):
    """A job of the query service."""

    query_job_id: str
    url: str


class OutputTables(Wire, frozen=True, kw_only=True):
    tables: list[str]


class Ddl(Wire, frozen=True, kw_only=True):
    ddl: str


class SchemaColumn(Wire, frozen=True, kw_only=True):
    name: str
    type: str


class SchemaTable(Wire, frozen=True, kw_only=True):
    name: str
    type: str
    columns: list[SchemaColumn]


class SchemaEntry(Wire, frozen=True, kw_only=True):
    name: str
    is_branched: bool = False
    tables: list[SchemaTable]


class DatabaseEntry(Wire, frozen=True, kw_only=True):
    name: str
    schemas: list[SchemaEntry]


class SchemaView(Wire, frozen=True, kw_only=True):
    databases: list[DatabaseEntry]


def session_view(row: SessionRow) -> Session:
    return Session(
        id=row.id,
        created_at=row.created,
        updated_at=row.updated,
        status=row.status,
        user_id=str(row.token_id),
        branch_id=str(row.branch_id),
        component_id=row.component_id,
        configuration_id=row.configuration_id,
        workspace_schema=row.workspace_schema,
        workspace_id=str(row.workspace_id),
        workspace_database=row.workspace_database,
        last_error=row.last_error,
        workspace_login_type=row.login_type,
        last_loaded_at=row.last_loaded,
    )
