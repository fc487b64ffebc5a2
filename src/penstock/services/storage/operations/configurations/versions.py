"""Versions of configurations and rows: read, roll back, and copy."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET

from penstock.foundation import ids
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.services.storage.errors.configurations import VersionNotFound
from penstock.services.storage.models.configuration_rows import StoredRow
from penstock.services.storage.models.configurations import ConfigurationKey, ConfigurationRow
from penstock.services.storage.models.versions import NewCopy, NewRowCopy, RowVersion, VersionRow, VersionsQuery
from penstock.services.storage.operations.configurations import history
from penstock.services.storage.operations.configurations.configurations import (
    add_configuration,
    blank_configuration,
    check_name,
    get_configuration,
)
from penstock.services.storage.operations.configurations.rows import add_row, change_row, get_row
from penstock.services.storage.store import configuration_rows as rows
from penstock.services.storage.store import versions

_OF_ROWS = ("name", "description", "configuration", "is_disabled")
_OF_CONFIGURATIONS = (*_OF_ROWS, "rows_sort_order")
_STAYS = ("state", "created", "creator_id", "creator_description")


def list_versions(tx: Transaction, key: ConfigurationKey, query: VersionsQuery) -> list[VersionRow]:
    get_configuration(tx, key)
    return versions.list_versions(tx, key, query)


def get_version(tx: Transaction, key: ConfigurationKey, version: str) -> VersionRow:
    get_configuration(tx, key)
    number = ids.read_id(version)
    found = versions.find_version(tx, key, number) if number is not None else None
    if not found:
        raise VersionNotFound(version)
    return found


def list_rows_at(tx: Transaction, key: ConfigurationKey, version: int) -> list[RowVersion]:
    return versions.list_rows_at(tx, key, version)


def roll_back(tx: Transaction, caller: Caller, key: ConfigurationKey, version: str, text: str) -> ConfigurationRow:
    """Create a new version equal to an old one, with its rows. States are unchanged."""
    known, old = get_configuration(tx, key), get_version(tx, key, version)
    text = text or f"Rollback to version {old.version}"
    now = history.advance(tx, caller, known, text, **_content(old, _OF_CONFIGURATIONS))
    wanted = {row.row_id: row for row in versions.list_rows_at(tx, key, old.version)}
    present = {row.id: row for row in rows.list_rows(tx, key)}
    for row_id in present.keys() - wanted.keys():
        history.drop_row(tx, key, row_id, until=now.version)
    for row_id, row in wanted.items():
        _bring_back(tx, caller, now, row, present.get(row_id))
    return now


def _bring_back(
    tx: Transaction, caller: Caller, now: ConfigurationRow, old: RowVersion, existing: StoredRow | None
) -> None:
    content = _content(old, _OF_ROWS)
    if existing and content == _content(existing, _OF_ROWS):
        return
    blank = history.blank_row(tx, caller, now.key, old.row_id)
    kept = _content(existing, _STAYS) if existing else {}
    row = msgspec.structs.replace(blank, **content, **kept, change_description=now.change_description)
    history.write_row(tx, caller, now.key, row, since=now.version)


def copy_version(
    tx: Transaction, caller: Caller, key: ConfigurationKey, version: str, new_copy: NewCopy
) -> ConfigurationRow:
    """Create a new configuration from a version of another, with its rows and an empty state."""
    check_name(new_copy.name)
    old = get_version(tx, key, version)
    target = msgspec.structs.replace(key, id=str(ids.new_id(tx)))
    text = new_copy.change_description or f'Copied from configuration "{old.name}" ({key.id}) version {old.version}'
    given = {"name": new_copy.name, "change_description": text}
    if new_copy.description is not UNSET:
        given["description"] = new_copy.description
    row = msgspec.structs.replace(blank_configuration(tx, caller, target), **_content(old, _OF_CONFIGURATIONS) | given)
    add_configuration(tx, row)
    for each in versions.list_rows_at(tx, key, old.version):
        copy = history.blank_row(tx, caller, target, each.row_id)
        copy = msgspec.structs.replace(copy, **_content(each, _OF_ROWS), change_description=text)
        history.write_row(tx, caller, target, copy, since=row.version)
    return row


def list_row_versions(tx: Transaction, key: ConfigurationKey, row_id: str, query: VersionsQuery) -> list[RowVersion]:
    get_row(tx, key, row_id)
    return versions.list_row_versions(tx, key, row_id, query)


def get_row_version(tx: Transaction, key: ConfigurationKey, row_id: str, version: str) -> RowVersion:
    get_row(tx, key, row_id)
    number = ids.read_id(version)
    found = versions.find_row_version(tx, key, row_id, number) if number is not None else None
    if not found:
        raise VersionNotFound(version)
    return found


def roll_row_back(
    tx: Transaction, caller: Caller, key: ConfigurationKey, row_id: str, version: str, text: str
) -> StoredRow:
    parent, known = get_configuration(tx, key), get_row(tx, key, row_id)
    old = get_row_version(tx, key, row_id, version)
    text = text or f"Rollback to version {old.version}"
    return change_row(tx, caller, parent, known, text, **_content(old, _OF_ROWS))


def copy_row_version(
    tx: Transaction, caller: Caller, key: ConfigurationKey, row_id: str, version: str, new_row_copy: NewRowCopy
) -> StoredRow:
    """Create a new row from a version of another, in the same configuration or in another of the component."""
    source, old = get_configuration(tx, key), get_row_version(tx, key, row_id, version)
    target = msgspec.structs.replace(key, id=new_row_copy.target_config_id or key.id)
    parent = get_configuration(tx, target)
    blank = history.blank_row(tx, caller, target, str(ids.new_id(tx)))
    said = f'Row {blank.id} copied from configuration "{source.name}" ({source.id}) row {row_id} version {old.version}'
    text = new_row_copy.change_description or said
    row = msgspec.structs.replace(blank, **_content(old, _OF_ROWS), change_description=text)
    add_row(tx, caller, parent, row)
    return row


def _content(of: VersionRow | RowVersion | StoredRow, fields: tuple[str, ...]) -> dict[str, Any]:
    return {field: getattr(of, field) for field in fields}
