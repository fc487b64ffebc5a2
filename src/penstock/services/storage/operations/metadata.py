"""Metadata of objects: stored with them, and removed with them.

One table for all kinds of objects: an `Owner` identifies the object. Callers have found the object and checked
permissions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from penstock.foundation import clock, ids
from penstock.foundation.database import Transaction
from penstock.foundation.limits import METADATA_ITEMS, METADATA_OF_COLUMNS
from penstock.services.storage.errors.metadata import (
    InvalidMetadataKey,
    InvalidProvider,
    MetadataNotFound,
    ReservedProvider,
    TooManyItems,
)
from penstock.services.storage.models.metadata import (
    COLUMN,
    WITH_PROVIDER,
    MetadataItem,
    MetadataRow,
    Owner,
    check_count,
)
from penstock.services.storage.store import metadata

OWN_PROVIDER = "storage"
MAX_LENGTH = 255
OF_COLUMNS = "All columns of a table together have"
_KEY = re.compile(r"[A-Za-z0-9._-]+")


def list_metadata(tx: Transaction, owner: Owner) -> list[MetadataRow]:
    """List metadata in the order in which keys were first added."""
    return metadata.list_items(tx, owner)


def list_all_metadata(
    tx: Transaction, project_id: int, branch_id: int, kind: str, prefix: str = ""
) -> dict[str, list[MetadataRow]]:
    """Return metadata by object id, of all objects of a kind whose id begins with the prefix; objects without metadata
    are left out."""
    found: dict[str, list[MetadataRow]] = {}
    for row in metadata.list_items_below(tx, project_id, branch_id, kind, prefix):
        found.setdefault(row.object_id, []).append(row)
    return found


def put_metadata(tx: Transaction, owner: Owner, provider: str, items: Sequence[MetadataItem]) -> None:
    """Add or overwrite. An overwritten item keeps its id and its position."""
    _put_all(tx, _read_provider(owner, provider), [(owner, items)])


def check_metadata(tx: Transaction, owner: Owner, provider: str, items: Sequence[MetadataItem]) -> None:
    """Raise the errors that adding them would raise now. Routes call it in a reading transaction: a request that is
    refused does not make others wait."""
    _check_all(tx, _read_provider(owner, provider), [(owner, items)])


def check_column_metadata(
    tx: Transaction, provider: str, entries: Sequence[tuple[Owner, Sequence[MetadataItem]]]
) -> None:
    """The same for several columns of one table."""
    _check_provider(provider)
    _check_all(tx, provider, entries)


def put_column_metadata(
    tx: Transaction, provider: str, entries: Sequence[tuple[Owner, Sequence[MetadataItem]]]
) -> None:
    """Add or overwrite items of several columns of one table."""
    _check_provider(provider)
    _put_all(tx, provider, entries)


def check_items(items: Iterable[MetadataItem]) -> None:
    """Raise the errors that adding them would raise."""
    keys = [item.key for item in items]
    for key in keys[:METADATA_ITEMS]:
        if len(key) > MAX_LENGTH or not _KEY.fullmatch(key):
            raise InvalidMetadataKey(key)
    check_count(len(keys))


def put_own_metadata(tx: Transaction, owner: Owner, items: Sequence[MetadataItem]) -> None:
    """Add metadata of the provider `storage`, such as the type of a column."""
    _put_all(tx, OWN_PROVIDER, [(owner, items)])


def put_own_column_metadata(tx: Transaction, entries: Sequence[tuple[Owner, Sequence[MetadataItem]]]) -> None:
    """The same for several columns of one table."""
    _put_all(tx, OWN_PROVIDER, entries)


def remove_metadata(tx: Transaction, owner: Owner, metadata_id: str) -> None:
    number = ids.read_id(metadata_id)
    if number is None or not metadata.remove_item(tx, owner, number):
        raise MetadataNotFound(metadata_id, owner.kind, owner.id)


def remove_own_item(tx: Transaction, owner: Owner, key: str) -> None:
    """Remove an item of the provider `storage`, if it is there."""
    metadata.remove_key(tx, owner, OWN_PROVIDER, key)


def drop_metadata(tx: Transaction, owner: Owner) -> None:
    """Remove all metadata of a deleted object."""
    metadata.remove_items(tx, owner)


def drop_metadata_below(tx: Transaction, project_id: int, branch_id: int, kind: str, prefix: str) -> None:
    """Remove the metadata of a bucket's tables (`in.c-main.`), of a table's columns (`in.c-main.users.`), or of a
    component's configurations (`ex-generic-v2/`)."""
    metadata.remove_items_below(tx, project_id, branch_id, kind, prefix)


def swap_metadata_below(tx: Transaction, project_id: int, branch_id: int, kind: str, first: str, second: str) -> None:
    """Exchange the metadata of the columns of two tables, whose ids begin so."""
    spare = f"swap {first}"  # not the beginning of any id: a name has no space
    for source, target in ((first, spare), (second, first), (spare, second)):
        metadata.move_items_below(tx, project_id, branch_id, kind, source, target)


def _put_all(tx: Transaction, provider: str, entries: Sequence[tuple[Owner, Sequence[MetadataItem]]]) -> None:
    """All items in few statements: one statement each would hold the write lock for seconds. Of two with one key, the
    first determines the id and the last the value."""
    check_items(item for _, items in entries for item in items)
    values = {(owner.id, item.key): item.text for owner, items in entries for item in items}
    if values:
        owner = entries[0][0]
        metadata.put_items(tx, owner, values, ids.new_ids(tx, len(values)), provider, clock.now())
        _check_total(tx, owner)


def _check_total(tx: Transaction, owner: Owner) -> None:
    """Check the number after they were stored, when it takes one query: others may have stored some since
    check_metadata() checked."""
    if owner.kind != COLUMN:
        check_count(metadata.count_items(tx, owner))
    elif metadata.count_items_below(tx, owner, _prefix_of(owner)) > METADATA_OF_COLUMNS:
        raise TooManyItems(METADATA_OF_COLUMNS, OF_COLUMNS)


def _prefix_of(column: Owner) -> str:
    """Return the prefix of the ids of all columns of its table."""
    return f"{column.id.rpartition('.')[0]}."


def _check_all(tx: Transaction, provider: str, entries: Sequence[tuple[Owner, Sequence[MetadataItem]]]) -> None:
    """Check everything before anything is written: what is refused must not have held the write lock."""
    check_items(item for _, items in entries for item in items)
    if entries:
        _check_room(tx, entries[0][0], provider, {(owner.id, item.key) for owner, items in entries for item in items})


def _check_room(tx: Transaction, owner: Owner, provider: str, keys: set[tuple[str, str]]) -> None:
    """Limit what is listed with an object; columns are listed with their table."""
    if owner.kind != COLUMN:
        if (count := metadata.count_items(tx, owner) + len(keys)) > METADATA_ITEMS:
            check_count(count - len(keys & metadata.list_keys(tx, owner, provider)))
        return
    prefix = _prefix_of(owner)
    if (count := metadata.count_items_below(tx, owner, prefix) + len(keys)) <= METADATA_OF_COLUMNS:
        return
    if count - len(keys & metadata.list_keys_below(tx, owner, prefix, provider)) > METADATA_OF_COLUMNS:
        raise TooManyItems(METADATA_OF_COLUMNS, OF_COLUMNS)


def _read_provider(owner: Owner, provider: str) -> str:
    if owner.kind not in WITH_PROVIDER:
        return ""
    _check_provider(provider)
    return provider


def _check_provider(provider: str) -> None:
    if provider == OWN_PROVIDER:
        raise ReservedProvider
    if not provider:
        raise InvalidProvider("Provider is required.")
    if len(provider) > MAX_LENGTH:
        raise InvalidProvider(f"A provider has at most {MAX_LENGTH} characters.")
