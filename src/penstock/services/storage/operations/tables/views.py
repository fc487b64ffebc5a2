"""Responses for buckets and tables, with related data loaded once for a whole list."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import UNSET, UnsetType

from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.services.storage.models import to_text
from penstock.services.storage.models.buckets import (
    Bucket,
    BucketFacts,
    BucketLink,
    BucketRow,
    SourceBucket,
    bucket_view,
)
from penstock.services.storage.models.metadata import BUCKET, COLUMN, TABLE, Metadata, metadata_view
from penstock.services.storage.models.tables import (
    SourceTable,
    Table,
    TableDefinition,
    TableFacts,
    TableRow,
    definition_view,
    table_view,
)
from penstock.services.storage.operations import buckets, metadata, sharing
from penstock.services.storage.operations.permissions import may_read_bucket
from penstock.services.storage.store import tables

DETAIL = frozenset(
    ("columns", "metadata", "columnMetadata", "buckets", "definition", "sourceMetadata", "sourceColumnMetadata")
)


class Viewer(msgspec.Struct, frozen=True):
    """The caller, and the base address of the request."""

    caller: Caller
    url: str


def buckets_view(tx: Transaction, viewer: Viewer, rows: Sequence[BucketRow], include: frozenset[str]) -> list[Bucket]:
    known = _metadata(tx, viewer, BUCKET, rows[0].id if len(rows) == 1 else "") if "metadata" in include else None
    return [
        bucket_view(
            row,
            viewer.url,
            BucketFacts(
                metadata=UNSET if known is None else known.get(row.id, []),
                source=_source_bucket(tx, row) if row.is_linked else UNSET,
                linked_by=_links(tx, row) if "linkedBuckets" in include else UNSET,
                is_in_branch=viewer.caller.has_own_storage and row.branch_id == viewer.caller.storage_branch_id,
            ),
        )
        for row in rows
    ]


def tables_view(tx: Transaction, viewer: Viewer, rows: Sequence[TableRow], include: frozenset[str]) -> list[Table]:
    """`rows` are tables as the caller sees them."""
    if not rows:
        return []
    prefix = rows[0].id if len(rows) == 1 else ""
    known = _metadata(tx, viewer, TABLE, prefix) if "metadata" in include else None
    columns = _of_columns(tx, viewer, prefix) if "columnMetadata" in include else None
    sources = _sources(tx, viewer, [row for row in rows if row.is_alias], include)
    owners = _owners(tx, viewer, rows) if include & {"buckets", "bucket"} else {}
    return [
        table_view(
            row,
            viewer.url,
            TableFacts(
                bucket=owners.get(row.bucket_id, UNSET),
                metadata=UNSET if known is None else known.get(row.id, []),
                column_metadata=UNSET if columns is None else columns.get(row.id, {}),
                source=sources.get(row.id, UNSET),
                with_columns="columns" in include,
                with_definition="definition" in include,
            ),
        )
        for row in rows
    ]


def _metadata(tx: Transaction, viewer: Viewer, kind: str, prefix: str) -> dict[str, list[Metadata]]:
    caller = viewer.caller
    found = metadata.list_all_metadata(tx, caller.project_id, caller.storage_branch_id, kind, prefix)
    return {object_id: [metadata_view(row, True) for row in rows] for object_id, rows in found.items()}


def _of_columns(tx: Transaction, viewer: Viewer, prefix: str) -> dict[str, dict[str, list[Metadata]]]:
    """Return metadata by table, then by column."""
    found: dict[str, dict[str, list[Metadata]]] = {}
    for column_id, items in _metadata(tx, viewer, COLUMN, f"{prefix}." if prefix else "").items():
        table_id, _, name = column_id.rpartition(".")
        found.setdefault(table_id, {})[name] = items
    return found


def _owners(tx: Transaction, viewer: Viewer, rows: Sequence[TableRow]) -> dict[str, Bucket]:
    ids = {row.bucket_id for row in rows}
    every = [buckets.get_bucket(tx, viewer.caller, next(iter(ids)))] if len(ids) == 1 else None
    found = every or [row for row in buckets.list_buckets(tx, viewer.caller) if row.id in ids]
    return {each.id: each for each in buckets_view(tx, viewer, found, frozenset(("metadata",)))}


def _source_bucket(tx: Transaction, row: BucketRow) -> SourceBucket:
    home = buckets.find_source_bucket(tx, row)
    project = sharing.project_of(tx, home.project_id)
    return SourceBucket(id=home.id, name=home.name, description=home.description, project=project)


def _links(tx: Transaction, row: BucketRow) -> list[BucketLink]:
    return [
        BucketLink(id=link.id, created=to_text(link.created), project=sharing.project_of(tx, link.project_id))
        for link in sharing.list_links(tx, row)
    ]


def _sources(
    tx: Transaction, viewer: Viewer, aliases: Sequence[TableRow], include: frozenset[str]
) -> dict[str, SourceTable]:
    """The source tables of aliases, by alias."""
    prefix = aliases[0].source_table_id or "" if len(aliases) == 1 else ""
    items = _metadata(tx, viewer, TABLE, prefix) if aliases and "sourceMetadata" in include else None
    columns = _of_columns(tx, viewer, prefix) if aliases and "sourceColumnMetadata" in include else None
    found: dict[str, SourceTable] = {}
    for row in aliases:
        source, table_id = _source_table(tx, row, viewer.url), row.source_table_id or ""
        if _may_read_source(viewer.caller, row):
            source = msgspec.structs.replace(
                source,
                metadata=UNSET if items is None else items.get(table_id, []),
                column_metadata=UNSET if columns is None else columns.get(table_id, {}),
                definition=_source_definition(tx, row) if "definition" in include else UNSET,
            )
        found[row.id] = source
    return found


def _may_read_source(caller: Caller, alias: TableRow) -> bool:
    """An alias may be readable, even shared, while its source is not: then only the alias's own columns are
    returned."""
    bucket_id = (alias.source_table_id or "").rpartition(".")[0]
    return alias.project_id == caller.project_id and may_read_bucket(caller, bucket_id)


def _source_table(tx: Transaction, row: TableRow, url: str) -> SourceTable:
    table_id = row.source_table_id or ""
    return SourceTable(
        id=table_id,
        uri=f"{url}/v2/storage/tables/{table_id}",
        name=table_id.rpartition(".")[2],
        project=sharing.project_of(tx, row.project_id),
    )


def _source_definition(tx: Transaction, alias: TableRow) -> TableDefinition | UnsetType:
    bucket_id, _, name = (alias.source_table_id or "").rpartition(".")
    source = tables.find_table(tx, alias.project_id, alias.branch_id, bucket_id, name)
    return definition_view(source) if source else UNSET


def detail_view(tx: Transaction, viewer: Viewer, row: TableRow) -> Table:
    """A table in full detail."""
    return tables_view(tx, viewer, [row], DETAIL)[0]
