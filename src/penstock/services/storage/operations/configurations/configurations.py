"""Configurations: documents that tell a component what to do. Secrets in them are encrypted on arrival."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import UNSET

from penstock.foundation import clock, ids
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.errors import Forbidden
from penstock.foundation.events import publish
from penstock.foundation.secrets import Cipher
from penstock.services.storage.errors.configurations import (
    ConfigurationChanged,
    ConfigurationExists,
    ConfigurationNotFound,
    InvalidConfiguration,
    InvalidRowSortOrder,
    InvalidStateFormat,
    TrashOfBranch,
)
from penstock.services.storage.models.configuration_rows import StoredRow
from penstock.services.storage.models.configurations import (
    ChangedConfiguration,
    ConfigurationDeleted,
    ConfigurationKey,
    ConfigurationRow,
    ConfigurationWithRows,
    NewConfiguration,
)
from penstock.services.storage.operations.configurations import history
from penstock.services.storage.operations.configurations.components import key_of
from penstock.services.storage.operations.configurations.documents import is_id, seal_configuration, seal_state
from penstock.services.storage.operations.metadata import drop_metadata
from penstock.services.storage.operations.permissions import may_purge_trash
from penstock.services.storage.operations.workspace_rows import forget_of_configuration
from penstock.services.storage.store import configuration_rows as rows
from penstock.services.storage.store import configurations, versions

CREATED, UPDATED = "Configuration created", "Configuration updated"
DELETED, RESTORED = "Configuration deleted", "Configuration restored"


def create_configuration(
    tx: Transaction, caller: Caller, cipher: Cipher, component_id: str, new_configuration: NewConfiguration
) -> ConfigurationRow:
    """Create a configuration with the requested id or a new one. The id of a trashed one may be reused."""
    check_name(new_configuration.name)
    key = key_of(tx, caller, component_id, new_configuration.configuration_id or str(ids.new_id(tx)))
    if not is_id(key.id):
        raise InvalidConfiguration(
            'Invalid request:\n - configurationId: "Use 1 to 255 characters, without `/` and not only spaces."'
        )
    blank = blank_configuration(tx, caller, key)
    row = msgspec.structs.replace(
        blank,
        name=new_configuration.name,
        description=new_configuration.description,
        configuration=seal_configuration(tx, caller, cipher, key, new_configuration.configuration),
        state=seal_state(tx, caller, cipher, key, new_configuration.state),
        change_description=new_configuration.change_description or CREATED,
        is_disabled=new_configuration.is_disabled,
        rows_sort_order=new_configuration.rows_sort_order,
    )
    add_configuration(tx, row)
    return row


def blank_configuration(tx: Transaction, caller: Caller, key: ConfigurationKey) -> ConfigurationRow:
    """A new configuration without a document. If it reuses the id of a trashed one, its version numbers continue."""
    known, now = configurations.find_configuration(tx, key), clock.now()
    if known and not known.is_deleted:
        raise ConfigurationExists(key.id)
    return ConfigurationRow(
        project_id=key.project_id,
        branch_id=key.branch_id,
        component_id=key.component_id,
        id=key.id,
        name="",
        description="",
        configuration=b"{}",
        state=b"{}",
        version=known.version + 1 if known else 1,
        version_identifier=ids.new_uuid(),
        change_description="",
        is_disabled=False,
        created=now,
        changed=now,
        creator_id=caller.token_id,
        creator_description=caller.description,
        changer_id=caller.token_id,
        changer_description=caller.description,
    )


def add_configuration(tx: Transaction, row: ConfigurationRow) -> None:
    """Store a new configuration; rows and metadata of a trashed one with its id are removed permanently."""
    history.drop_all_rows(tx, row.key, row.version)
    drop_metadata(tx, row.key.owner)
    configurations.remove_configuration(tx, row.key)
    configurations.add_configuration(tx, row)
    history.record_version(tx, row)


def get_configuration(tx: Transaction, key: ConfigurationKey) -> ConfigurationRow:
    found = configurations.find_configuration(tx, key)
    if not found or found.is_deleted:
        raise ConfigurationNotFound(key.id)
    return found


def find_name(tx: Transaction, key: ConfigurationKey) -> str | None:
    found = configurations.find_configuration(tx, key)
    return found.name if found else None


def with_rows(tx: Transaction, row: ConfigurationRow) -> ConfigurationWithRows:
    return ConfigurationWithRows(row, rows.list_rows(tx, row.key))


def list_configurations(
    tx: Transaction,
    caller: Caller,
    component_id: str | None = None,
    *,
    is_deleted: bool = False,
    with_documents: bool = True,
) -> list[ConfigurationWithRows]:
    """The configurations of one component, or of all that the caller may use, in two queries regardless of their
    number."""
    where = (
        caller.project_id,
        caller.branch_id,
        key_of(tx, caller, component_id, "").component_id if component_id else None,
    )
    inside: dict[tuple[str, str], list[StoredRow]] = {}
    for row in rows.list_all_rows(tx, *where, with_documents=with_documents):
        inside.setdefault((row.component_id, row.config_id), []).append(row)
    found = configurations.list_configurations(tx, *where, is_deleted=is_deleted, with_documents=with_documents)
    return [
        ConfigurationWithRows(row, inside.get((row.component_id, row.id), []))
        for row in found
        if caller.may_use_component(row.component_id)
    ]


def update_configuration(
    tx: Transaction,
    caller: Caller,
    cipher: Cipher,
    key: ConfigurationKey,
    change: ChangedConfiguration,
    version: int | None = None,
) -> ConfigurationRow:
    """Update the given fields. Any given field creates a version, even if unchanged; the state and a change description
    alone do not. Raise if `version` is given and is not the current one."""
    known = get_configuration(tx, key)
    if version is not None and version != known.version:
        raise ConfigurationChanged(key.id, known.version, known.changer_description)
    if change.state is not UNSET:
        known = set_state(tx, caller, cipher, key, change.state)
    given = _given(tx, caller, cipher, known, change)
    if not given:
        return known
    changed = history.advance(tx, caller, known, change.change_description or UPDATED, **given)
    if "configuration" in given:
        _bind_rows(tx, caller, cipher, changed)
    return changed


def _bind_rows(tx: Transaction, caller: Caller, cipher: Cipher, parent: ConfigurationRow) -> None:
    """Rows inherit hosts and processors of their configuration: where these changed to what the project trusts, the
    secrets of the rows are bound to them as those of the configuration."""
    for row in rows.list_rows(tx, parent.key):
        document = msgspec.json.decode(row.configuration)
        sealed = seal_configuration(tx, caller, cipher, parent.key, document, parent.configuration)
        if sealed != row.configuration:
            text = parent.change_description
            changes = {"configuration": sealed, "version": row.version + 1, "version_identifier": ids.new_uuid()}
            moved = msgspec.structs.replace(row, **changes, change_description=text)
            history.write_row(tx, caller, parent.key, moved, since=parent.version)


def remove_configuration(tx: Transaction, caller: Caller, key: ConfigurationKey) -> None:
    """Move it to the trash and delete its workspaces; if it is there already, remove it permanently."""
    known = configurations.find_configuration(tx, key)
    if not known:
        raise ConfigurationNotFound(key.id)
    if not known.is_deleted:
        history.advance(tx, caller, known, DELETED, is_deleted=True)
        forget_of_configuration(tx, caller, key)
        _publish_deletion(tx, key)
        return
    if caller.branch_id != caller.main_branch_id:
        raise TrashOfBranch
    if not may_purge_trash(caller):
        raise Forbidden("You don't have access to the resource.")
    purge(tx, key)


def _publish_deletion(tx: Transaction, key: ConfigurationKey) -> None:
    where = {"project_id": key.project_id, "branch_id": key.branch_id}
    publish(tx, ConfigurationDeleted(**where, component_id=key.component_id, configuration_id=key.id))


def has_configuration(tx: Transaction, key: ConfigurationKey) -> bool:
    found = configurations.find_configuration(tx, key)
    return found is not None and not found.is_deleted


def purge(tx: Transaction, key: ConfigurationKey) -> None:
    drop_metadata(tx, key.owner)
    rows.remove_rows(tx, key)
    versions.remove_versions(tx, key)
    configurations.remove_configuration(tx, key)


def restore_configuration(tx: Transaction, caller: Caller, key: ConfigurationKey) -> ConfigurationRow:
    """Restore it from the trash, with its rows and metadata."""
    known = configurations.find_configuration(tx, key)
    if not known or not known.is_deleted:
        raise ConfigurationNotFound(key.id)
    return history.advance(tx, caller, known, RESTORED, is_deleted=False)


def set_state(tx: Transaction, caller: Caller, cipher: Cipher, key: ConfigurationKey, state: Any) -> ConfigurationRow:
    known = get_configuration(tx, key)
    if state is UNSET:
        raise InvalidStateFormat("state")
    sealed = seal_state(tx, caller, cipher, key, state)
    configurations.set_state(tx, key, sealed)
    return msgspec.structs.replace(known, state=sealed)


def save_state(
    tx: Transaction, caller: Caller, component_id: str, config_id: str, row_id: str | None, state: dict[str, Any]
) -> None:
    """Save the state for the next run; ignored if the configuration or row is gone."""
    key = ConfigurationKey(caller.project_id, caller.branch_id, component_id, config_id)
    found = rows.find_row(tx, key, row_id) if row_id is not None else configurations.find_configuration(tx, key)
    if not found:
        return
    merged = msgspec.json.encode({**msgspec.json.decode(found.state), **state})
    if row_id is not None:
        rows.set_row_state(tx, key, row_id, merged)
    else:
        configurations.set_state(tx, key, merged)


def check_name(name: str) -> None:
    if not name:
        raise InvalidConfiguration('Invalid request:\n - name: "This field is missing."')


def _given(
    tx: Transaction, caller: Caller, cipher: Cipher, existing: ConfigurationRow, change: ChangedConfiguration
) -> dict[str, Any]:
    """The versioned fields that the request sets."""
    given: dict[str, Any] = {
        "name": change.name,
        "description": change.description,
        "is_disabled": change.is_disabled,
        "rows_sort_order": change.rows_sort_order,
    }
    if change.configuration is not UNSET:
        given["configuration"] = seal_configuration(tx, caller, cipher, existing.key, change.configuration)
    if change.name is not UNSET:
        check_name(change.name)
    if change.rows_sort_order:
        _check_sort_order(change.rows_sort_order, rows.list_row_ids(tx, existing.key))
    return {field: value for field, value in given.items() if value is not UNSET}


def _check_sort_order(row_ids: list[str], present: set[str]) -> None:
    for row_id in row_ids:
        if row_id not in present:
            raise InvalidConfiguration(f'Invalid request:\n - rowsSortOrder: "There is no row {row_id}."')
        if row_ids.count(row_id) > 1:
            raise InvalidRowSortOrder(row_id)
    if missing := present.difference(row_ids):
        raise InvalidRowSortOrder(min(missing))
