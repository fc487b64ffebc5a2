"""Configurations over HTTP."""

from __future__ import annotations

from penstock.foundation.callers import Right
from penstock.foundation.database import Transaction
from penstock.services.storage.models.configurations import (
    ChangedConfiguration,
    Configuration,
    ConfigurationKey,
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
from penstock.web.requests import Request
from penstock.web.routing import Route, delete, get, post, put

CONFIGS = "/v2/storage/components/{component_id}/configs"
CONFIG = f"{CONFIGS}/{{config_id}}"
DOCUMENTS = frozenset(("configuration", "state"))


def routes() -> list[Route]:
    shown = {"returns": Configuration}
    items = {"returns": list[Metadata]}
    more = {**items, "body": NewMetadata, "status": 201}
    every = {"query": ConfigurationsQuery, "returns": list[Configuration]}
    return [
        get(CONFIGS, list_configurations, needs=Right.TOKEN, **every),
        post(CONFIGS, create_configuration, body=NewConfiguration, status=201, needs=Right.TOKEN, **shown),
        get(CONFIG, get_configuration, needs=Right.TOKEN, **shown),
        put(CONFIG, update_configuration, body=ChangedConfiguration, needs=Right.TOKEN, **shown),
        delete(CONFIG, remove_configuration, status=204, needs=Right.TOKEN),
        put(f"{CONFIG}/state", set_state, body=NewState, needs=Right.TOKEN, **shown),
        post(f"{CONFIG}/restore", restore_configuration, needs=Right.TOKEN, **shown),
        post(f"{CONFIG}/reset-to-default", reset_to_default, status=204, needs=Right.TOKEN),
        get(f"{CONFIG}/metadata", list_configuration_metadata, needs=Right.TOKEN, **items),
        post(f"{CONFIG}/metadata", put_configuration_metadata, needs=Right.TOKEN, **more),
        delete(f"{CONFIG}/metadata/{{metadata_id}}", remove_configuration_metadata, status=204, needs=Right.TOKEN),
    ]


def find_key(tx: Transaction, request: Request) -> ConfigurationKey:
    """Which configuration the path names."""
    return key_of(tx, request.caller, request.path["component_id"], request.path["config_id"])


def list_configurations(request: Request) -> list[Configuration]:
    """With everything in them; `isDeleted=true` lists the trash instead."""
    with request.reading() as tx:
        found = configurations.list_configurations(
            tx, request.caller, request.path["component_id"], is_deleted=request.query.is_deleted
        )
    return [configuration_view(each) for each in found]


def create_configuration(request: Request) -> Configuration:
    """Store a configuration; values under `#` keys are encrypted before they are written."""
    with request.writing() as tx:
        row = configurations.create_configuration(
            tx, request.caller, request.stack.cipher, request.path["component_id"], request.body
        )
    # Clients decode this over the object whose rows they create next; an empty `rows` would make them create none.
    return configuration_view(ConfigurationWithRows(row), DOCUMENTS)


def get_configuration(request: Request) -> Configuration:
    with request.reading() as tx:
        return _show(tx, configurations.get_configuration(tx, find_key(tx, request)))


def update_configuration(request: Request) -> Configuration:
    """Change what is given; a change makes a new version."""
    with request.writing() as tx:
        row = configurations.update_configuration(
            tx, request.caller, request.stack.cipher, find_key(tx, request), request.body
        )
        return _show(tx, row)


def remove_configuration(request: Request) -> None:
    """Into the trash; for good, if it is there already."""
    with request.writing() as tx:
        configurations.remove_configuration(tx, request.caller, find_key(tx, request))


def set_state(request: Request) -> Configuration:
    """What the component is to know next time; this makes no new version."""
    with request.writing() as tx:
        return _show(tx, configurations.set_state(tx, request.stack.cipher, find_key(tx, request), request.body.state))


def restore_configuration(request: Request) -> Configuration:
    """Out of the trash."""
    with request.writing() as tx:
        return _show(tx, configurations.restore_configuration(tx, request.caller, find_key(tx, request)))


def reset_to_default(request: Request) -> None:
    """Make a branch's configuration what Main's is."""
    with request.writing() as tx:
        branch_jobs.reset_to_default(tx, request.caller, find_key(tx, request))


def list_configuration_metadata(request: Request) -> list[Metadata]:
    with request.reading() as tx:
        row = configurations.get_configuration(tx, find_key(tx, request))
        rows = metadata.list_metadata(tx, row.key.owner)
    return [metadata_view(row, with_provider=False) for row in rows]


def put_configuration_metadata(request: Request) -> list[Metadata]:
    """Add or overwrite; answers with all that the configuration has."""
    with request.writing() as tx:
        row = configurations.get_configuration(tx, find_key(tx, request))
        metadata.put_metadata(tx, row.key.owner, "", request.body.metadata)
    with request.reading() as tx:
        rows = metadata.list_metadata(tx, row.key.owner)
    return [metadata_view(row, with_provider=False) for row in rows]


def remove_configuration_metadata(request: Request) -> None:
    with request.writing() as tx:
        row = configurations.get_configuration(tx, find_key(tx, request))
        metadata.remove_metadata(tx, row.key.owner, request.path["metadata_id"])


def _show(tx: Transaction, row: ConfigurationRow) -> Configuration:
    return configuration_view(configurations.with_rows(tx, row))
