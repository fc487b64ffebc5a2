"""What goes into workspaces and out of them, over HTTP."""

from __future__ import annotations

from penstock.foundation.callers import Right
from penstock.foundation.stacks import STORAGE
from penstock.services.storage.models.jobs import Job
from penstock.services.storage.models.workspace_loads import (
    LoadRequest,
    MappingRequest,
    ObjectNames,
    QueryRequest,
    QueryResult,
    TableExportRequest,
    UnloadRequest,
    WorkspaceObject,
    object_view,
)
from penstock.services.storage.operations import workspace_rows
from penstock.services.storage.operations.workspace_engines import open_engine
from penstock.services.storage.operations.workspaces import exports, loads, queries, unloads
from penstock.services.storage.routes.jobs import accept
from penstock.services.storage.routes.views import viewer_of
from penstock.services.storage.routes.workspaces import ONE
from penstock.web.requests import Request
from penstock.web.routing import Route, get, post


def routes() -> list[Route]:
    return [
        post(f"{ONE}/load", load_tables, needs=Right.TOKEN, status=202, title="Load tables into a workspace"),
        post(f"{ONE}/load-clone", clone_tables, needs=Right.TOKEN, status=202, title="Clone tables into a workspace"),
        post(
            f"{ONE}/input-mapping-load",
            load_mapping,
            needs=Right.TOKEN,
            status=202,
            title="Load an input mapping into a workspace",
        ),
        post(
            f"{ONE}/unload",
            unload_tables,
            needs=Right.TOKEN,
            status=202,
            title="Write tables of a workspace into Storage",
        ),
        post(
            f"{ONE}/table-export",
            export_workspace_table,
            needs=Right.TOKEN,
            status=202,
            title="Export a table of a workspace to a file",
        ),
        post(
            f"{ONE}/query", run_query, needs=Right.TOKEN, uses_lake=True, title="Run a short SQL query in a workspace"
        ),
        get(
            f"{ONE}/objects",
            list_objects,
            needs=Right.TOKEN,
            uses_lake=True,
            title="List tables and views of a workspace",
        ),
        post(
            f"{ONE}/objects/batch-delete",
            delete_objects,
            needs=Right.TOKEN,
            status=204,
            uses_lake=True,
            title="Drop tables and views of a workspace",
        ),
    ]


def load_tables(request: Request, workspace_id: str, body: LoadRequest) -> Job:
    """Load project tables into the workspace, or files into one of files. Without `preserve` it is emptied first."""
    return _load(request, workspace_id, body)


def clone_tables(request: Request, workspace_id: str, body: LoadRequest) -> Job:
    """Load tables into a workspace without copying: rows are copied when they are changed for the first time."""
    return _load(request, workspace_id, body, is_clone=True)


def load_mapping(request: Request, workspace_id: str, body: MappingRequest) -> Job:
    """Load the tables of an input mapping into a workspace, as configurations have them."""
    return _load(request, workspace_id, body.to_load())


def _load(request: Request, workspace_id: str, load_request: LoadRequest, *, is_clone: bool = False) -> Job:
    with request.reading() as tx:
        if is_clone:
            workspace_rows.get_sql_workspace(tx, request.caller, workspace_id)
        loads.check_load(tx, request.caller, workspace_id, load_request)
    with request.writing() as tx:
        job = loads.plan_load(tx, request.caller, workspace_id, load_request, is_clone=is_clone)
    return accept(request, job)


def unload_tables(request: Request, workspace_id: str, body: UnloadRequest) -> list[Job]:
    """Write tables of the workspace into Storage, by the output mapping of its configuration; a job for each."""
    with request.writing() as tx:
        if body.only or body.only_direct_grants:
            workspace_rows.get_sql_workspace(tx, request.caller, workspace_id)
            return []
        planned = unloads.plan_unload(tx, request.stack, viewer_of(request), workspace_id)
    return [accept(request, job) for job in planned]


def export_workspace_table(request: Request, workspace_id: str, body: TableExportRequest) -> Job:
    """Write a table of the workspace into a file; the job's results name it."""
    with request.writing() as tx:
        url = request.addresses.url_of(STORAGE)
        job = exports.plan_export(tx, request.caller, workspace_id, body, url)
    return accept(request, job)


def run_query(request: Request, workspace_id: str, body: QueryRequest) -> QueryResult:
    """Run one statement and wait for its result. Use the service `query` for more than a few rows."""
    with request.reading() as tx:
        row = workspace_rows.get_sql_workspace(tx, request.caller, workspace_id)
    return queries.run_query(request.stack, request.caller, row, body.query)


def list_objects(request: Request, workspace_id: str) -> list[WorkspaceObject]:
    """The tables and views of the workspace itself."""
    with request.reading() as tx:
        row = workspace_rows.get_sql_workspace(tx, request.caller, workspace_id)
    with open_engine(request.stack, row) as engine:
        return [object_view(each) for each in engine.list_objects()]


def delete_objects(request: Request, workspace_id: str, body: ObjectNames) -> None:
    """Drop tables and views of the workspace; names that it does not have are ignored."""
    with request.reading() as tx:
        row = workspace_rows.get_sql_workspace(tx, request.caller, workspace_id)
    with open_engine(request.stack, row) as engine:
        engine.drop(body.objects)
