"""Metadata: what may be kept beside an object, and what goes when the object goes.

One room for all kinds of objects: an `Owner` says which. Whoever calls has found the object and may change it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from penstock.foundation import clock, ids
from penstock.foundation.database import Transaction
from penstock.services.storage.errors.metadata import (
    InvalidMetadataKey,
    InvalidProvider,
    MetadataNotFound,
    ReservedProvider,
)
from penstock.services.storage.models.metadata import WITH_PROVIDER, MetadataItem, MetadataRow, Owner
from penstock.services.storage.store import metadata

OWN_PROVIDER = "storage"
LONGEST = 255
_KEY = re.compile(r"[A-Za-z0-9._-]+")


def list_metadata(tx: Transaction, owner: Owner) -> list[MetadataRow]:
    """In the order in which keys were first given."""
    return metadata.list_items(tx, owner)


def list_all_metadata(
    tx: Transaction, project_id: int, branch_id: int, kind: str, prefix: str = ""
) -> dict[str, list[MetadataRow]]:
    """Of every object of a kind whose id begins with the prefix, by object id; those without any are not in it."""
    found: dict[str, list[MetadataRow]] = {}
    for row in metadata.list_items_below(tx, project_id, branch_id, kind, prefix):
        found.setdefault(row.object_id, []).append(row)
    return found


def put_metadata(tx: Transaction, owner: Owner, provider: str, items: Sequence[MetadataItem]) -> list[MetadataRow]:
    """Add or overwrite, and tell all that the object has. An overwritten item keeps its id and its place."""
    if owner.kind not in WITH_PROVIDER:
        provider = ""
    else:
        _check_provider(provider)
    return _put(tx, owner, provider, items)


def check_items(items: Iterable[MetadataItem]) -> None:
    """Raise what putting them would raise."""
    for item in items:
        _check_key(item.key)


def put_own_metadata(tx: Transaction, owner: Owner, items: Sequence[MetadataItem]) -> list[MetadataRow]:
    """What Storage itself says of an object, such as the type of a column."""
    return _put(tx, owner, OWN_PROVIDER, items)


def remove_metadata(tx: Transaction, owner: Owner, metadata_id: str) -> None:
    number = ids.read_id(metadata_id)
    if number is None or not metadata.remove_item(tx, owner, number):
        raise MetadataNotFound(metadata_id, owner.kind, owner.id)


def drop_metadata(tx: Transaction, owner: Owner) -> None:
    """All of an object that is no more."""
    metadata.remove_items(tx, owner)


def drop_metadata_below(tx: Transaction, project_id: int, branch_id: int, kind: str, prefix: str) -> None:
    """All of a bucket's tables (`in.c-main.`), of a table's columns (`in.c-main.users.`), of a component's
    configurations (`ex-generic-v2/`)."""
    metadata.remove_items_below(tx, project_id, branch_id, kind, prefix)


def _put(tx: Transaction, owner: Owner, provider: str, items: Sequence[MetadataItem]) -> list[MetadataRow]:
    now = clock.now()
    for item in items:
        _check_key(item.key)
        if not metadata.change_item(tx, owner, provider, item.key, item.text, now):
            metadata.add_item(
                tx,
                MetadataRow(
                    id=ids.new_id(tx),
                    project_id=owner.project_id,
                    branch_id=owner.branch_id,
                    kind=owner.kind,
                    object_id=owner.id,
                    provider=provider,
                    key=item.key,
                    value=item.text,
                    timestamp=now,
                ),
            )
    return metadata.list_items(tx, owner)


def _check_provider(provider: str) -> None:
    if provider == OWN_PROVIDER:
        raise ReservedProvider
    if not provider:
        raise InvalidProvider("Provider is required.")
    if len(provider) > LONGEST:
        raise InvalidProvider(f"A provider has at most {LONGEST} characters.")


def _check_key(key: str) -> None:
    if len(key) > LONGEST or not _KEY.fullmatch(key):
        raise InvalidMetadataKey(key)
