"""Project tables as SQL of a workspace finds them, by bucket and name."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.errors import Forbidden, Invalid, NotFound, Unauthorized
from penstock.foundation.lake import Query, folded
from penstock.foundation.stack import Stack
from penstock.services.storage.models.buckets import branch_prefix
from penstock.services.storage.models.queries import RowsQuery
from penstock.services.storage.operations.authentication import get_caller
from penstock.services.storage.operations.tables.definitions import lake_columns
from penstock.services.storage.operations.tables.queries import read_query
from penstock.services.storage.operations.tables.tables import Located, get_table, list_tables
from penstock.sql import Names, TableLink, TableName


def find_tables(stack: Stack, caller: Caller, creator_id: int, names: Names) -> list[TableLink]:
    """The tables that a statement names, or all of them, if the caller and the creator of the workspace may read them:
    what a statement has read stays in the workspace for a while."""
    with stack.database.reading() as tx:
        reader = caller if caller.token_id == creator_id else _find_creator(tx, caller, creator_id)
        return list_links(tx, reader) if names.all else find_links(tx, reader, names.tables)


def _find_creator(tx: Transaction, caller: Caller, creator_id: int) -> Caller:
    """The token that created the workspace, in the branch of the caller, who may read everything: others use only
    their own workspaces. The caller, if that token is gone."""
    try:
        creator = get_caller(tx, caller.project_id, creator_id)
    except Unauthorized:
        return caller
    return msgspec.structs.replace(
        creator, branch_id=caller.branch_id, has_storage_branches=caller.has_storage_branches
    )


def list_links(tx: Transaction, caller: Caller) -> list[TableLink]:
    """All tables that the caller may read."""
    return [link for row in list_tables(tx, caller) if (link := _find(tx, caller, row.id))]


def find_links(tx: Transaction, caller: Caller, names: Sequence[TableName]) -> list[TableLink]:
    """Return those tables that exist and that the caller may read; to others it is as if they did not exist."""
    found = [_find_named(tx, caller, each) for each in names]
    return list({(link.schema, link.name): link for link in found if link}.values())


def to_link(located: Located, *, has_timestamp: bool = False) -> TableLink:
    row = located.row
    # An alias has the rows that its filter matches, and no others.
    own = read_query(row, RowsQuery()) if row.alias_filter else Query()
    return TableLink(
        schema=located.bucket.id,
        name=row.name,
        table=located.place,
        columns=tuple(lake_columns(row)),
        query=Query(filters=own.filters),
        has_timestamp=has_timestamp,
    )


def _find_named(tx: Transaction, caller: Caller, name: TableName) -> TableLink | None:
    """Find a table by its name. In a branch with its own storage, a schema is the id of a bucket, or that with the
    prefix of the branch, as the `backendPath` of the bucket has it."""
    prefix = branch_prefix(caller.storage_branch_id) if caller.has_own_storage else ""
    own = prefix if name.schema.startswith(prefix) else ""
    inside = TableName(name.schema.removeprefix(own), name.name)
    link = _find(tx, caller, f"{inside.schema}.{inside.name}") or _find_folded(tx, caller, inside)
    return msgspec.structs.replace(link, schema=own + link.schema) if link else None


def _find(tx: Transaction, caller: Caller, table_id: str) -> TableLink | None:
    try:
        return to_link(get_table(tx, caller, table_id))
    except (NotFound, Forbidden, Invalid):
        return None


def _find_folded(tx: Transaction, caller: Caller, name: TableName) -> TableLink | None:
    """Names without quotes have no case in SQL, but ids of tables have."""
    try:
        inside = list_tables(tx, caller, name.schema)
    except (NotFound, Forbidden, Invalid):
        return None
    same = (row for row in inside if folded(row.name) == folded(name.name))
    return next((link for row in same if (link := _find(tx, caller, row.id))), None)
