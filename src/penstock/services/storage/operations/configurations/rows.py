"""Rows of configurations. Each change of a row creates a new version of the row and of its configuration."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET

from penstock.foundation import ids
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.secrets import Cipher
from penstock.services.storage.errors.configurations import (
    InvalidRow,
    InvalidStateFormat,
    RowChanged,
    RowExists,
    RowNotFound,
)
from penstock.services.storage.models.configuration_rows import ChangedRow, NewRow, StoredRow, in_order
from penstock.services.storage.models.configurations import ConfigurationKey, ConfigurationRow
from penstock.services.storage.operations.configurations import history
from penstock.services.storage.operations.configurations.configurations import get_configuration
from penstock.services.storage.operations.configurations.documents import is_id, seal_configuration, seal_state
from penstock.services.storage.store import configuration_rows as rows


def list_rows(tx: Transaction, key: ConfigurationKey) -> list[StoredRow]:
    return in_order(rows.list_rows(tx, key), get_configuration(tx, key).rows_sort_order)


def get_row(tx: Transaction, key: ConfigurationKey, row_id: str) -> StoredRow:
    get_configuration(tx, key)
    found = rows.find_row(tx, key, row_id)
    if not found:
        raise RowNotFound(row_id)
    return found


def create_row(tx: Transaction, caller: Caller, cipher: Cipher, key: ConfigurationKey, new_row: NewRow) -> StoredRow:
    parent = get_configuration(tx, key)
    row_id = new_row.row_id or str(ids.new_id(tx))
    if not is_id(row_id):
        raise InvalidRow('Invalid request:\n - rowId: "Use 1 to 255 characters, without `/` and not only spaces."')
    if rows.find_row(tx, key, row_id):
        raise RowExists(row_id, key.id)
    row = msgspec.structs.replace(
        history.blank_row(tx, caller, key, row_id),
        name=new_row.name,
        description=new_row.description,
        configuration=seal_configuration(tx, caller, cipher, key, new_row.configuration, parent.configuration),
        state=seal_state(tx, caller, cipher, key, new_row.state),
        is_disabled=new_row.is_disabled,
        change_description=new_row.change_description or f"Row {row_id} added",
    )
    add_row(tx, caller, parent, row)
    return row


def add_row(tx: Transaction, caller: Caller, parent: ConfigurationRow, row: StoredRow) -> None:
    """Add the row; if the configuration has an explicit order without it, at the end."""
    order = parent.rows_sort_order
    if order and row.id not in order:
        order = [*order, row.id]
    now = history.advance(tx, caller, parent, row.change_description, rows_sort_order=order)
    history.write_row(tx, caller, parent.key, row, since=now.version)


def update_row(
    tx: Transaction,
    caller: Caller,
    cipher: Cipher,
    key: ConfigurationKey,
    row_id: str,
    change: ChangedRow,
    version: int | None = None,
) -> StoredRow:
    """Update the given fields. Any given field creates a version, even if unchanged; the state and a change description
    alone do not. Raise if `version` is given and is not the current one."""
    parent, known = get_configuration(tx, key), get_row(tx, key, row_id)
    if version is not None and version != known.version:
        raise RowChanged(row_id, known.version)
    if change.state is not UNSET:
        known = set_row_state(tx, caller, cipher, key, row_id, change.state)
    given = _given(tx, caller, cipher, parent, change)
    if not given:
        return known
    return change_row(tx, caller, parent, known, change.change_description or f"Row {row_id} changed", **given)


def change_row(
    tx: Transaction, caller: Caller, parent: ConfigurationRow, existing: StoredRow, text: str, **changes: Any
) -> StoredRow:
    """The row's next version, which also creates one of its configuration."""
    row = msgspec.structs.replace(
        existing, **changes, version=existing.version + 1, version_identifier=ids.new_uuid(), change_description=text
    )
    now = history.advance(tx, caller, parent, text)
    history.write_row(tx, caller, parent.key, row, since=now.version)
    return row


def remove_row(tx: Transaction, caller: Caller, key: ConfigurationKey, row_id: str, text: str) -> None:
    parent = get_configuration(tx, key)
    get_row(tx, key, row_id)
    order = [each for each in parent.rows_sort_order if each != row_id]
    now = history.advance(tx, caller, parent, text or f"Row {row_id} deleted", rows_sort_order=order)
    history.drop_row(tx, key, row_id, until=now.version)


def set_row_state(
    tx: Transaction, caller: Caller, cipher: Cipher, key: ConfigurationKey, row_id: str, state: Any
) -> StoredRow:
    known = get_row(tx, key, row_id)
    if state is UNSET:
        raise InvalidStateFormat("state")
    sealed = seal_state(tx, caller, cipher, key, state)
    rows.set_row_state(tx, key, row_id, sealed)
    return msgspec.structs.replace(known, state=sealed)


def _given(
    tx: Transaction, caller: Caller, cipher: Cipher, parent: ConfigurationRow, change: ChangedRow
) -> dict[str, Any]:
    """The versioned fields that the request sets."""
    given: dict[str, Any] = {
        "name": change.name,
        "description": change.description,
        "is_disabled": change.is_disabled,
    }
    if change.configuration is not UNSET:
        given["configuration"] = seal_configuration(
            tx, caller, cipher, parent.key, change.configuration, parent.configuration
        )
    return {field: value for field, value in given.items() if value is not UNSET}
