"""Metadata: keys and values that users and programs store with a bucket, table, column, configuration or branch."""

from __future__ import annotations

from datetime import datetime
from typing import Any, cast

import msgspec
from msgspec import UNSET, UnsetType

from penstock.contracts.tables import MetadataItem
from penstock.foundation.constraints import explain_error
from penstock.foundation.limits import METADATA_ITEMS, MetadataItems
from penstock.foundation.structs import Wire
from penstock.services.storage.errors.metadata import InvalidMetadata, TooManyItems
from penstock.services.storage.models import to_text

BUCKET, TABLE, COLUMN, CONFIGURATION, BRANCH = "bucket", "table", "column", "configuration", "branch"
WITH_PROVIDER = (BUCKET, TABLE, COLUMN)


class Owner(msgspec.Struct, frozen=True):
    """What metadata belongs to. Buckets, tables and columns are those of the main branch."""

    project_id: int
    branch_id: int
    kind: str
    id: str
    """A bucket's or table's id, `{tableId}.{column}`, `{componentId}/{configurationId}`, or a branch's number."""


class MetadataRow(msgspec.Struct, frozen=True, kw_only=True):
    id: int
    project_id: int
    branch_id: int
    kind: str
    object_id: str
    provider: str
    """Who provided it; empty for configurations and branches, which have no providers."""
    key: str
    value: str
    timestamp: datetime


class NewMetadata(Wire, frozen=True):
    provider: str = ""
    """Who provides the entries, such as `user` or the id of a component. Required for buckets, tables and columns;
    `storage` is reserved. Configurations and branches have none."""
    metadata: MetadataItems[MetadataItem] = []
    """The entries to add. One with the same key and provider is overwritten."""


class NewTableMetadata(NewMetadata, frozen=True):
    columns_metadata: Any = None
    """Entries of columns: lists of `key` and `value` by the name of the column, or a list of entries that have a
    `columnName`."""


class Metadata(Wire, frozen=True):
    id: str
    key: str
    value: str
    timestamp: str
    provider: str | UnsetType = UNSET


class TableMetadata(Wire, frozen=True):
    metadata: list[Metadata]
    columns_metadata: dict[str, list[Metadata]]


def metadata_view(row: MetadataRow, with_provider: bool) -> Metadata:
    return Metadata(
        id=str(row.id),
        key=row.key,
        value=row.value,
        timestamp=to_text(row.timestamp),
        provider=row.provider if with_provider else UNSET,
    )


def read_columns_metadata(value: Any) -> dict[str, list[MetadataItem]]:
    """Items by column. The column is an item's `columnName`, or else the nearest enclosing key."""
    found: dict[str, list[MetadataItem]] = {}
    # An explicit stack: a body may be nested deeper than Python's recursion limit.
    waiting: list[tuple[str, Any]] = [("", value)]
    count = 0
    while waiting:
        under, node = waiting.pop()
        if isinstance(node, list):
            waiting.extend((under, child) for child in reversed(cast(list[Any], node)))
        elif _is_item(node):
            check_count(count := count + 1)
            found.setdefault(_column_of(node, under), []).append(_to_item(node))
        elif isinstance(node, dict):
            waiting.extend(reversed(cast(dict[str, Any], node).items()))
        elif node is not None:
            raise InvalidMetadata('"columnsMetadata" must hold objects with "columnName", "key" and "value".')
    return found


def check_count(count: int) -> None:
    """Check the number of items in one request, one manifest or one object."""
    if count > METADATA_ITEMS:
        raise TooManyItems(METADATA_ITEMS)


def _is_item(node: Any) -> bool:
    return isinstance(node, dict) and not isinstance(cast(dict[str, Any], node).get("key", []), list | dict)


def _column_of(node: dict[str, Any], under: str) -> str:
    column = node.get("columnName") or under
    if not isinstance(column, str) or not column:
        raise InvalidMetadata(f'The item with the key "{node["key"]}" does not say to which column it belongs.')
    return column


def _to_item(node: dict[str, Any]) -> MetadataItem:
    try:
        return msgspec.convert(node, MetadataItem, strict=False)
    except msgspec.ValidationError as error:
        raise InvalidMetadata(f"An item of columnsMetadata is not valid. {explain_error(error)}") from error
