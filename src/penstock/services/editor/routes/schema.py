"""What can be queried in a session: its own tables, and those of the project."""

from __future__ import annotations

from penstock.foundation.callers import Right
from penstock.services.editor import operations
from penstock.services.editor.errors import TableMissing
from penstock.services.editor.models import (
    DatabaseEntry,
    Ddl,
    DdlQuery,
    SchemaColumn,
    SchemaEntry,
    SchemaQuery,
    SchemaTable,
    SchemaView,
    SessionRow,
)
from penstock.services.editor.routes.queries import quote
from penstock.services.editor.routes.sessions import ONE
from penstock.services.storage import interface as storage
from penstock.sql import Names
from penstock.web.requests import Request
from penstock.web.routing import Route, get

TABLE, VIEW = "BASE TABLE", "VIEW"


def routes() -> list[Route]:
    return [
        get(
            f"{ONE}/schema", get_schema, needs=Right.TOKEN, uses_lake=True, title="List schemas and tables of a session"
        ),
        get(
            f"{ONE}/table-ddl", get_ddl, needs=Right.TOKEN, uses_lake=True, title="Get the CREATE statement of a table"
        ),
    ]


def get_schema(request: Request, session_id: str, query: SchemaQuery) -> SchemaView:
    """The schemas of the session's database, with their tables and columns."""
    row, schemas = _read(request, session_id, is_own=query.only_workspace_schema)
    if not query.load_tables:
        schemas = [SchemaEntry(name=each.name, tables=[]) for each in schemas]
    return SchemaView(databases=[DatabaseEntry(name=row.workspace_database, schemas=schemas)])


def get_ddl(request: Request, session_id: str, query: DdlQuery) -> Ddl:
    """The statement that would create a table."""
    row, schemas = _read(request, session_id, is_own=False)
    wanted = query.schema_name or row.workspace_schema
    found = [
        table for each in schemas if each.name == wanted for table in each.tables if table.name == query.table_name
    ]
    if not found or query.database_name not in (None, row.workspace_database):
        raise TableMissing(wanted, query.table_name)
    return Ddl(ddl=_to_ddl(row, wanted, found[0]))


def _to_ddl(row: SessionRow, schema: str, table: SchemaTable) -> str:
    name = ".".join(quote(part) for part in (row.workspace_database, schema, table.name))
    columns = ",\n".join(f"\t{quote(column.name)} {column.type}" for column in table.columns)
    return f"create or replace TABLE {name} (\n{columns}\n);"


def _read(request: Request, session_id: str, *, is_own: bool) -> tuple[SessionRow, list[SchemaEntry]]:
    with request.reading() as tx:
        row = operations.get_session(tx, request.caller, session_id)
        caller = operations.in_branch(request.caller, row.branch_id)
        workspace = storage.get_sql_workspace(tx, caller, str(row.workspace_id))
    with storage.open_engine(request.stack, workspace) as engine:
        own = [
            SchemaTable(
                name=table.name,
                type=VIEW if table.is_view else TABLE,
                columns=[SchemaColumn(name=column.name, type=column.type) for column in table.columns],
            )
            for table in engine.list_objects()
        ]
    entries = [SchemaEntry(name=row.workspace_schema, tables=own)]
    if is_own:
        return row, entries
    links = storage.find_table_links(request.stack, caller, workspace, Names(all=True))
    for schema in sorted({link.schema for link in links}):
        tables = [
            SchemaTable(
                name=link.name,
                type=TABLE,
                columns=[SchemaColumn(name=column.name, type=column.type) for column in link.columns],
            )
            for link in links
            if link.schema == schema
        ]
        entries.append(SchemaEntry(name=schema, tables=tables))
    return row, entries
