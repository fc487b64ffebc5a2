"""Metadata of maintainers, organizations, projects and users."""

from __future__ import annotations

from penstock.foundation import clock, ids, limits
from penstock.foundation.callers import AnyCaller
from penstock.foundation.database import Transaction
from penstock.foundation.errors import Invalid
from penstock.services.management.errors import AccessDenied, ThingNotFound
from penstock.services.management.models.features import Entry, NewEntries, Owner
from penstock.services.management.operations.standing import is_super
from penstock.services.management.store import metadata as store


def put_entries(
    tx: Transaction, caller: AnyCaller, level: Owner, owner_id: int, new_entries: NewEntries
) -> list[Entry]:
    """All entries of the owner after that."""
    if new_entries.provider == "system" and not is_super(caller):
        raise AccessDenied('Only a super administrator writes metadata of the provider "system".')
    if new_entries.provider == "maintainer" and level != "organization":
        raise Invalid('Only organizations have metadata of the provider "maintainer". Use "user" or "system".')
    store.put_entries(tx, level, owner_id, new_entries.provider, new_entries.metadata, clock.now())
    found = store.list_entries(tx, level, owner_id)
    if len(found) > limits.METADATA_ITEMS:
        raise Invalid(f"The {level} would have more than {limits.METADATA_ITEMS:,} items of metadata.")
    return found


def remove_entry(tx: Transaction, caller: AnyCaller, level: Owner, owner_id: int, value: str) -> None:
    number = ids.read_id(value)
    entry = next((each for each in store.list_entries(tx, level, owner_id) if each.id == number), None)
    if not entry:
        raise ThingNotFound("Metadata", value)
    if entry.provider == "system" and not is_super(caller):
        raise AccessDenied('Only a super administrator deletes metadata of the provider "system".')
    store.remove_entry(tx, level, owner_id, entry.id)
