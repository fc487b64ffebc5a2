"""Applies changes to the files or to the project. Each configuration is changed as a whole or not at all."""

from __future__ import annotations

from penstock.client.client import Client
from penstock.client.config_files.content import SQL_WORKSPACE, Content, Key, RowContent, content_of
from penstock.client.config_files.folder import Base, Folder
from penstock.client.config_files.plan import Change, Remote
from penstock.client.errors import ClientError
from penstock.client.models import NewRow
from penstock.foundation.errors import Conflict

REASON = "Changed with penstock configs push"


def read_remote(client: Client) -> dict[Key, Remote]:
    """Read every configuration of the project in one request, except that of the workspace of `penstock sql`."""
    listed = client.configurations.list(with_documents=True)
    configurations = {Key(stored.component, stored.id): stored for stored in listed}
    return {
        key: Remote(stored.version, content_of(stored))
        for key, stored in configurations.items()
        if key != SQL_WORKSPACE
    }


def apply_pull(folder: Folder, change: Change) -> Base | None:
    """The base of the configuration from now on; None if it is gone."""
    if not change.remote:
        folder.remove_content(change.key)
        return None
    folder.write_content(change.key, change.remote.content)
    return Base(change.remote.version, change.remote.content.digest)


def apply_push(client: Client, folder: Folder, change: Change) -> Base | None:
    """Afterwards the files hold what the project holds: secrets, for example, have been encrypted."""
    component, config_id = change.key
    if not change.local:
        client.configurations.delete(component, config_id)
        return None
    if change.remote:
        _update(client, change.key, change.remote, change.local)
    else:
        _create(client, change.key, change.local)
    stored = client.configurations.get(component, config_id)
    content = content_of(stored)
    folder.write_content(change.key, content)
    return Base(stored.version, content.digest)


def _create(client: Client, key: Key, content: Content) -> None:
    client.configurations.create(
        key.component,
        content.name,
        content.configuration,
        config_id=key.id,
        description=content.description,
        is_disabled=content.is_disabled,
    )
    try:
        _change_rows(client, key, {}, content)
    except ClientError:
        client.configurations.delete(key.component, key.id)
        raise


def _update(client: Client, key: Key, remote: Remote, content: Content) -> None:
    fields = {
        "name": content.name,
        "description": content.description,
        "isDisabled": content.is_disabled,
        "configuration": content.configuration,
    }
    changed = client.configurations.update(key.component, key.id, fields, REASON)
    try:
        if changed.version != remote.version + 1:
            raise Conflict(f"{key} was changed at the same moment. The other change was kept: pull it first.")
        _change_rows(client, key, remote.content.rows, content, remote.content.rows_sort_order)
    except (ClientError, Conflict):
        client.configurations.roll_back(key.component, key.id, changed.version - 1)
        raise


def _change_rows(
    client: Client, key: Key, before: dict[str, RowContent], content: Content, order: list[str] | None = None
) -> None:
    configurations, (component, config_id) = client.configurations, key
    for row_id in before.keys() - content.rows.keys():
        configurations.delete_row(component, config_id, row_id)
    for row_id, row in content.rows.items():
        if row_id not in before:
            configurations.create_row(component, config_id, _new_row(row, row_id))
        elif row != before[row_id]:
            configurations.update_row(component, config_id, row_id, _new_row(row))
    if content.rows_sort_order != (order or []):
        configurations.update(component, config_id, {"rowsSortOrder": content.rows_sort_order}, REASON)


def _new_row(row: RowContent, row_id: str = "") -> NewRow:
    return NewRow(
        row_id=row_id,
        name=row.name,
        description=row.description,
        is_disabled=row.is_disabled,
        configuration=row.configuration,
    )
