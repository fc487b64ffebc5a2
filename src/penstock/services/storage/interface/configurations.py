"""Components and configurations."""

from __future__ import annotations

from typing import Any

import msgspec

from penstock.components.component import Component
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.stack import Stack
from penstock.services.storage.models.configuration_rows import StoredRow, in_order
from penstock.services.storage.models.configurations import ConfigurationKey, NewConfiguration
from penstock.services.storage.operations.configurations import components, configurations, documents, versions


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """A configuration row, which can be run on its own."""

    id: str
    is_disabled: bool
    document: dict[str, Any]
    state: dict[str, Any]


class Configuration(msgspec.Struct, frozen=True, kw_only=True):
    """A configuration as a job needs it; secrets in its documents are still encrypted."""

    id: str
    version: int
    is_disabled: bool
    document: dict[str, Any]
    state: dict[str, Any]
    rows: list[Row] = []
    """In their order."""


class RowSnapshot(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    name: str
    is_disabled: bool
    document: dict[str, Any]


class Snapshot(msgspec.Struct, frozen=True, kw_only=True):
    """A version of a configuration with its rows, for those who describe or compare it; secrets are still encrypted."""

    id: str
    name: str
    description: str
    version: int
    change_description: str
    is_disabled: bool
    document: dict[str, Any]
    rows: list[RowSnapshot]


def create_configuration(
    tx: Transaction, stack: Stack, caller: Caller, component_id: str, new_configuration: NewConfiguration
) -> None:
    configurations.create_configuration(tx, caller, stack.cipher, component_id, new_configuration)


def get_component(tx: Transaction, caller: Caller, component_id: str) -> Component:
    return components.get_component(tx, caller, component_id)


def read_configuration(tx: Transaction, caller: Caller, component_id: str, config_id: str) -> Configuration:
    key = components.key_of(tx, caller, component_id, config_id)
    found = configurations.with_rows(tx, configurations.get_configuration(tx, key))
    row = found.configuration
    return Configuration(
        id=row.id,
        version=row.version,
        is_disabled=row.is_disabled,
        document=msgspec.json.decode(row.configuration),
        state=msgspec.json.decode(row.state),
        rows=[_read_row(each) for each in in_order(found.rows, row.rows_sort_order)],
    )


def find_configuration_name(
    tx: Transaction, project_id: int, branch_id: int, component_id: str, config_id: str
) -> str | None:
    """Return None if there is no such configuration, or no longer."""
    return configurations.find_name(tx, ConfigurationKey(project_id, branch_id, component_id, config_id))


def read_configuration_version(
    tx: Transaction, caller: Caller, component_id: str, config_id: str, version: str
) -> dict[str, Any]:
    """The document of a version, without rows; raises if there is no such configuration or version."""
    key = components.key_of(tx, caller, component_id, config_id)
    return msgspec.json.decode(versions.get_version(tx, key, version).configuration)


def read_snapshot(
    tx: Transaction, caller: Caller, component_id: str, config_id: str, version: str | None = None
) -> Snapshot:
    """A version, by default the current one; raises if it does not exist, or the caller may not use the component."""
    key = components.key_of(tx, caller, component_id, config_id)
    current = configurations.get_configuration(tx, key)
    found = versions.get_version(tx, key, version or str(current.version))
    rows = versions.list_rows_at(tx, key, found.version)
    return Snapshot(
        id=current.id,
        name=found.name,
        description=found.description,
        version=found.version,
        change_description=found.change_description,
        is_disabled=found.is_disabled,
        document=msgspec.json.decode(found.configuration),
        rows=[
            RowSnapshot(
                id=row.row_id,
                name=row.name,
                is_disabled=row.is_disabled,
                document=msgspec.json.decode(row.configuration),
            )
            for row in rows
        ],
    )


def has_configuration(tx: Transaction, project_id: int, branch_id: int, component_id: str, config_id: str) -> bool:
    return configurations.has_configuration(tx, ConfigurationKey(project_id, branch_id, component_id, config_id))


def _read_row(row: StoredRow) -> Row:
    return Row(
        id=row.id,
        is_disabled=row.is_disabled,
        document=msgspec.json.decode(row.configuration),
        state=msgspec.json.decode(row.state),
    )


def overlay(configuration: dict[str, Any], row: dict[str, Any]) -> dict[str, Any]:
    """The document to run for one row of a configuration."""
    return documents.overlay(configuration, row)


def save_state(
    tx: Transaction, caller: Caller, component_id: str, config_id: str, row_id: str | None, state: dict[str, Any]
) -> None:
    """Merge the state for the next run into the stored one, member by member. Secrets in it are already encrypted."""
    configurations.save_state(tx, caller, component_id, config_id, row_id, state)
