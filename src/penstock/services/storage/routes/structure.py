"""The structure of tables over HTTP: columns, keys, aliases, snapshots."""

from __future__ import annotations

from penstock.foundation.callers import Right
from penstock.services.storage.models.definitions import ColumnChange, DefinitionChange, NewColumn, NewKey, TableSwap
from penstock.services.storage.models.jobs import Job
from penstock.services.storage.models.profiles import TableProfile
from penstock.services.storage.models.queries import WhereFilter
from penstock.services.storage.models.snapshots import NewSnapshot, Snapshot, SnapshotQuery, snapshot_view
from penstock.services.storage.models.tables import Table
from penstock.services.storage.operations.tables import (
    aliases,
    columns,
    definition_changes,
    keys,
    profiles,
    snapshots,
    swaps,
)
from penstock.services.storage.operations.tables.views import detail_view
from penstock.services.storage.routes.jobs import accept
from penstock.services.storage.routes.views import DeletionQuery, viewer_of
from penstock.web.requests import Request
from penstock.web.routing import Route, delete, get, post, put

TABLE = "/v2/storage/tables/{table_id}"


def routes() -> list[Route]:
    return [
        post(f"{TABLE}/columns", add_column, needs=Right.TOKEN, status=202),
        delete(f"{TABLE}/columns/{{column}}", drop_column, needs=Right.TOKEN, status=202),
        put(
            f"{TABLE}/columns/{{column}}/definition",
            change_column,
            needs=Right.TOKEN,
            status=202,
            title="Change the definition of a column",
        ),
        put(
            f"{TABLE}/definition",
            change_definition,
            needs=Right.TOKEN,
            status=202,
            title="Change the definition of a table",
        ),
        post(f"{TABLE}/primary-key", add_key, needs=Right.TOKEN, status=202, title="Add a primary key"),
        delete(f"{TABLE}/primary-key", remove_key, needs=Right.TOKEN, status=202, title="Remove the primary key"),
        post(
            f"{TABLE}/alias-columns-auto-sync",
            follow_columns,
            needs=Right.TOKEN,
            title="Let an alias follow the columns of its source",
        ),
        delete(
            f"{TABLE}/alias-columns-auto-sync",
            keep_columns,
            needs=Right.TOKEN,
            status=204,
            title="Let an alias keep its columns",
        ),
        post(f"{TABLE}/snapshots", take_snapshot, needs=Right.TOKEN, status=202, title="Create a snapshot of a table"),
        get(f"{TABLE}/snapshots", list_snapshots, needs=Right.TOKEN, title="List snapshots of a table"),
        post(f"{TABLE}/swap", swap_tables, needs=Right.TOKEN, status=202, title="Swap two tables"),
        post(
            f"{TABLE}/profile",
            compute_profile,
            needs=Right.TOKEN,
            status=202,
            only_reads=True,
            title="Compute the profile of a table",
        ),
        get(f"{TABLE}/profile", get_profile, needs=Right.TOKEN, title="Get the profile of a table"),
    ]


def main_routes() -> list[Route]:
    """Routes that exist only without a branch."""
    snapshot = "/v2/storage/snapshots/{snapshot_id}"
    return [
        post(f"{TABLE}/alias-filter", set_filter, needs=Right.TOKEN, title="Set the filter of an alias"),
        delete(
            f"{TABLE}/alias-filter", remove_filter, needs=Right.TOKEN, status=204, title="Remove the filter of an alias"
        ),
        get(snapshot, get_snapshot, needs=Right.TOKEN),
        delete(snapshot, remove_snapshot, needs=Right.TOKEN, status=202),
    ]


def add_column(request: Request, table_id: str, body: NewColumn) -> Job:
    with request.writing() as tx:
        job = columns.plan_column(tx, request.caller, table_id, body)
    return accept(request, job)


def drop_column(request: Request, table_id: str, column: str, query: DeletionQuery) -> Job:
    with request.writing() as tx:
        job = columns.plan_column_drop(tx, request.caller, table_id, column, is_forced=query.force)
    return accept(request, job)


def change_column(request: Request, table_id: str, column: str, body: ColumnChange) -> Job:
    """Change the length, the default or the nullability of a column of a typed table; a length can only grow."""
    with request.writing() as tx:
        job = definition_changes.plan_column_change(tx, request.caller, table_id, column, body)
    return accept(request, job)


def change_definition(request: Request, table_id: str, body: DefinitionChange) -> Job:
    """Change the display name, the descriptions and the definitions of columns of a table together."""
    with request.writing() as tx:
        job = definition_changes.plan_table_change(tx, request.caller, table_id, body)
    return accept(request, job)


def add_key(request: Request, table_id: str, body: NewKey) -> Job:
    with request.writing() as tx:
        job = keys.plan_key(tx, request.caller, table_id, body.columns)
    return accept(request, job)


def remove_key(request: Request, table_id: str) -> Job:
    with request.writing() as tx:
        job = keys.plan_key_removal(tx, request.caller, table_id)
    return accept(request, job)


def set_filter(request: Request, table_id: str, body: WhereFilter) -> Table:
    """Set which rows an alias includes."""
    given = {"column": body.column, "operator": body.operator, "values": body.values}
    with request.writing() as tx:
        row = aliases.set_filter(tx, request.caller, table_id, given)
        return detail_view(tx, viewer_of(request), row)


def remove_filter(request: Request, table_id: str) -> None:
    with request.writing() as tx:
        aliases.set_filter(tx, request.caller, table_id, None)


def follow_columns(request: Request, table_id: str) -> Table:
    """The alias gets every column that is added to its source."""
    with request.writing() as tx:
        row = aliases.set_columns(tx, request.caller, table_id, follow_source=True)
        return detail_view(tx, viewer_of(request), row)


def keep_columns(request: Request, table_id: str) -> None:
    """The alias keeps its present columns."""
    with request.writing() as tx:
        aliases.set_columns(tx, request.caller, table_id, follow_source=False)


def take_snapshot(request: Request, table_id: str, body: NewSnapshot) -> Job:
    with request.writing() as tx:
        job = snapshots.plan_snapshot(tx, request.caller, table_id, body.description)
    return accept(request, job)


def list_snapshots(request: Request, table_id: str, query: SnapshotQuery) -> list[Snapshot]:
    with request.reading() as tx:
        rows = snapshots.list_snapshots(tx, request.caller, table_id, query.limit, query.offset)
    return [snapshot_view(row) for row in rows]


def swap_tables(request: Request, table_id: str, body: TableSwap) -> Job:
    """Exchange the rows, columns, types and primary keys of two tables; names, descriptions and aliases stay."""
    with request.writing() as tx:
        job = swaps.plan_swap(tx, request.caller, table_id, body.target_table_id)
    return accept(request, job)


def compute_profile(request: Request, table_id: str) -> Job:
    """Compute statistics of each column: empty and distinct values, lengths, and of numbers their range and mean."""
    with request.writing() as tx:
        job = profiles.plan_profile(tx, request.caller, table_id)
    return accept(request, job)


def get_profile(request: Request, table_id: str) -> TableProfile:
    """The newest profile of a table."""
    with request.reading() as tx:
        return profiles.get_profile(tx, request.caller, table_id)


def get_snapshot(request: Request, snapshot_id: str) -> Snapshot:
    with request.reading() as tx:
        return snapshot_view(snapshots.get_snapshot(tx, request.caller, snapshot_id))


def remove_snapshot(request: Request, snapshot_id: str) -> Job:
    with request.writing() as tx:
        job = snapshots.plan_removal(tx, request.caller, snapshot_id)
    return accept(request, job)
