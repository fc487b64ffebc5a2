"""Versions of configurations and rows: every change creates a new version, and old ones are retained.

A change of a row also creates a version of its configuration, and the row records from which version on it applies.
"""

from __future__ import annotations

from typing import Any

import msgspec

from penstock.foundation import clock, ids
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.services.storage.models.configuration_rows import StoredRow
from penstock.services.storage.models.configurations import ConfigurationKey, ConfigurationRow
from penstock.services.storage.models.versions import RowVersion, VersionRow
from penstock.services.storage.store import configuration_rows as rows
from penstock.services.storage.store import configurations, versions


def advance(tx: Transaction, caller: Caller, existing: ConfigurationRow, text: str, **changes: Any) -> ConfigurationRow:
    """The configuration's next version, with these changes; `text` describes them."""
    row = msgspec.structs.replace(
        existing,
        **changes,
        version=existing.version + 1,
        version_identifier=ids.new_uuid(),
        change_description=text,
        changed=clock.now(),
        changer_id=caller.token_id,
        changer_description=caller.description,
    )
    configurations.put_configuration(tx, row)
    record_version(tx, row)
    return row


def record_version(tx: Transaction, row: ConfigurationRow) -> None:
    versions.add_version(
        tx,
        VersionRow(
            project_id=row.project_id,
            branch_id=row.branch_id,
            component_id=row.component_id,
            config_id=row.id,
            version=row.version,
            name=row.name,
            description=row.description,
            configuration=row.configuration,
            rows_sort_order=row.rows_sort_order,
            is_disabled=row.is_disabled,
            is_deleted=row.is_deleted,
            change_description=row.change_description,
            version_identifier=row.version_identifier,
            created=row.changed,
            creator_id=row.changer_id,
            creator_description=row.changer_description,
        ),
    )


def write_row(tx: Transaction, caller: Caller, key: ConfigurationKey, row: StoredRow, since: int) -> None:
    """Store a row as it is from this version of its configuration on."""
    versions.end_row_versions(tx, key, since, row.id)
    versions.add_row_version(
        tx,
        RowVersion(
            project_id=key.project_id,
            branch_id=key.branch_id,
            component_id=key.component_id,
            config_id=key.id,
            row_id=row.id,
            version=row.version,
            name=row.name,
            description=row.description,
            configuration=row.configuration,
            is_disabled=row.is_disabled,
            change_description=row.change_description,
            version_identifier=row.version_identifier,
            created=clock.now(),
            creator_id=caller.token_id,
            creator_description=caller.description,
            since=since,
        ),
    )
    rows.put_row(tx, key, row)


def drop_row(tx: Transaction, key: ConfigurationKey, row_id: str, until: int) -> None:
    """Remove a row from this version of its configuration on."""
    versions.end_row_versions(tx, key, until, row_id)
    rows.remove_row(tx, key, row_id)


def drop_all_rows(tx: Transaction, key: ConfigurationKey, until: int) -> None:
    versions.end_row_versions(tx, key, until)
    rows.remove_rows(tx, key)


def blank_row(tx: Transaction, caller: Caller, key: ConfigurationKey, row_id: str) -> StoredRow:
    """A new row without a document. If its id existed before, its version numbers continue."""
    return StoredRow(
        project_id=key.project_id,
        branch_id=key.branch_id,
        component_id=key.component_id,
        config_id=key.id,
        id=row_id,
        name="",
        description="",
        configuration=b"{}",
        state=b"{}",
        is_disabled=False,
        version=versions.last_row_version(tx, key, row_id) + 1,
        version_identifier=ids.new_uuid(),
        change_description="",
        created=clock.now(),
        creator_id=caller.token_id,
        creator_description=caller.description,
    )
