"""Configurations over HTTP."""

from __future__ import annotations

from penstock.foundation import ids
from penstock.foundation.callers import Right
from penstock.foundation.database import Transaction
from penstock.foundation.errors import Invalid
from penstock.services.storage.models.configurations import (
    ChangedConfiguration,
    Configuration,
    ConfigurationRow,
    ConfigurationsQuery,
    ConfigurationWithRows,
    NewConfiguration,
    NewState,
    configuration_view,
)
from penstock.services.storage.models.metadata import Metadata, NewMetadata, metadata_view
from penstock.services.storage.operations import branch_jobs, metadata
from penstock.services.storage.operations.configurations import configurations
from penstock.services.storage.operations.configurations.components import key_of
from penstock.services.storage.operations.configurations.documents import check_sizes
from penstock.web.requests import Request
from penstock.web.routing import Route, delete, get, post, put

CONFIGS = "/v2/storage/components/{component_id}/configs"
CONFIG = f"{CONFIGS}/{{config_id}}"
DOCUMENTS = frozenset(("configuration", "state"))


def routes() -> list[Route]:
    return [
        get(CONFIGS, list_configurations, needs=Right.TOKEN),
        post(CONFIGS, create_configuration, needs=Right.TOKEN, status=201),
        get(CONFIG, get_configuration, needs=Right.TOKEN),
        put(CONFIG, update_configuration, needs=Right.TOKEN),
        delete(CONFIG, remove_configuration, needs=Right.TOKEN, status=204, title="Delete a configuration"),
        put(f"{CONFIG}/state", set_state, needs=Right.TOKEN, title="Set the state of a configuration"),
        post(
            f"{CONFIG}/restore",
            restore_configuration,
            needs=Right.TOKEN,
            title="Restore a configuration from the trash",
        ),
        post(
            f"{CONFIG}/reset-to-default",
            reset_to_default,
            needs=Right.TOKEN,
            status=204,
            title="Reset a configuration of a branch to that of Main",
        ),
        get(
            f"{CONFIG}/metadata",
            list_configuration_metadata,
            needs=Right.TOKEN,
            title="List metadata of a configuration",
        ),
        post(
            f"{CONFIG}/metadata",
            put_configuration_metadata,
            needs=Right.TOKEN,
            status=201,
            title="Set metadata of a configuration",
        ),
        delete(
            f"{CONFIG}/metadata/{{metadata_id}}",
            remove_configuration_metadata,
            needs=Right.TOKEN,
            status=204,
            title="Remove metadata of a configuration",
        ),
    ]


def list_configurations(request: Request, component_id: str, query: ConfigurationsQuery) -> list[Configuration]:
    """List configurations with their full contents; `isDeleted=true` lists the trash instead."""
    with request.reading() as tx:
        found = configurations.list_configurations(tx, request.caller, component_id, is_deleted=query.is_deleted)
    return [configuration_view(each) for each in found]


def create_configuration(request: Request, component_id: str, body: NewConfiguration) -> Configuration:
    """Store a configuration; values under `#` keys are encrypted before they are written."""
    check_sizes(body)
    with request.writing() as tx:
        row = configurations.create_configuration(tx, request.caller, request.stack.cipher, component_id, body)
    # Clients decode this into the object whose rows they create next; an empty `rows` would make them create none.
    return configuration_view(ConfigurationWithRows(row), DOCUMENTS)


def get_configuration(request: Request, component_id: str, config_id: str) -> Configuration:
    with request.reading() as tx:
        key = key_of(tx, request.caller, component_id, config_id)
        return _view(tx, configurations.get_configuration(tx, key))


def update_configuration(
    request: Request, component_id: str, config_id: str, body: ChangedConfiguration
) -> Configuration:
    """Update the given fields; a change creates a new version. With the header `If-Match` and a version only if that is
    the current one."""
    version = read_version(request.if_match)
    check_sizes(body)
    with request.writing() as tx:
        key = key_of(tx, request.caller, component_id, config_id)
        cipher = request.stack.cipher
        return _view(tx, configurations.update_configuration(tx, request.caller, cipher, key, body, version))


def remove_configuration(request: Request, component_id: str, config_id: str) -> None:
    """Move it to the trash; if it is there already, delete it permanently."""
    with request.writing() as tx:
        key = key_of(tx, request.caller, component_id, config_id)
        configurations.remove_configuration(tx, request.caller, key)


def set_state(request: Request, component_id: str, config_id: str, body: NewState) -> Configuration:
    """Set what the component reads in its next run; this creates no version."""
    with request.writing() as tx:
        key = key_of(tx, request.caller, component_id, config_id)
        return _view(tx, configurations.set_state(tx, request.caller, request.stack.cipher, key, body.state))


def restore_configuration(request: Request, component_id: str, config_id: str) -> Configuration:
    """Restore it from the trash."""
    with request.writing() as tx:
        key = key_of(tx, request.caller, component_id, config_id)
        return _view(tx, configurations.restore_configuration(tx, request.caller, key))


def reset_to_default(request: Request, component_id: str, config_id: str) -> None:
    """Reset a branch's configuration to Main's. Refused without a branch in the path, which means Main."""
    with request.writing() as tx:
        key = key_of(tx, request.caller, component_id, config_id)
        branch_jobs.reset_to_default(tx, request.caller, key)


def list_configuration_metadata(request: Request, component_id: str, config_id: str) -> list[Metadata]:
    with request.reading() as tx:
        key = key_of(tx, request.caller, component_id, config_id)
        row = configurations.get_configuration(tx, key)
        rows = metadata.list_metadata(tx, row.key.owner)
    return [metadata_view(row, with_provider=False) for row in rows]


def put_configuration_metadata(
    request: Request, component_id: str, config_id: str, body: NewMetadata
) -> list[Metadata]:
    """Add or overwrite; returns all metadata of the configuration."""
    with request.reading() as tx:
        row = configurations.get_configuration(tx, key_of(tx, request.caller, component_id, config_id))
        metadata.check_metadata(tx, row.key.owner, "", body.metadata)
    with request.writing() as tx:
        key = key_of(tx, request.caller, component_id, config_id)
        row = configurations.get_configuration(tx, key)
        metadata.put_metadata(tx, row.key.owner, "", body.metadata)
    with request.reading() as tx:
        rows = metadata.list_metadata(tx, row.key.owner)
    return [metadata_view(row, with_provider=False) for row in rows]


def remove_configuration_metadata(request: Request, component_id: str, config_id: str, metadata_id: str) -> None:
    with request.writing() as tx:
        key = key_of(tx, request.caller, component_id, config_id)
        row = configurations.get_configuration(tx, key)
        metadata.remove_metadata(tx, row.key.owner, metadata_id)


def read_version(if_match: str) -> int | None:
    """Return the version in the header `If-Match`, with or without quotes; None for `*`."""
    if if_match == "*":
        return None
    number = ids.read_id(if_match.removeprefix("W/").strip('"'))
    if number is None:
        raise Invalid('The header If-Match is not a version. Send the `version` that you have read, such as "3".')
    return number


def _view(tx: Transaction, row: ConfigurationRow) -> Configuration:
    return configuration_view(configurations.with_rows(tx, row))
