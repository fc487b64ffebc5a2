"""Configurations: documents that say what a component shall do. Secrets in them are encrypted as they come in."""

from __future__ import annotations

import re
from typing import Any, cast

import msgspec

from penstock.components.catalogue import find_component
from penstock.components.component import Component
from penstock.foundation import clock, ids
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.errors import Forbidden, TooLarge
from penstock.foundation.secrets import Cipher, Scope
from penstock.services.storage.errors import (
    ComponentNotFound,
    ConfigurationExists,
    ConfigurationNotFound,
    InvalidConfiguration,
    InvalidFormat,
    InvalidStateFormat,
)
from penstock.services.storage.models.configurations import ConfigurationRow, NewConfiguration
from penstock.services.storage.store import configurations

DOCUMENT_BYTES = 4_000_000
_CONFIG_ID = re.compile(r"[^/\x00-\x1f\x7f]{1,255}")
"""An id is a part of a path: one with a slash could be stored and never be found again."""


def get_component(caller: Caller, component_id: str) -> Component:
    """The component, by its id or an alias, if the caller may use it."""
    component = find_component(component_id)
    if not component:
        raise ComponentNotFound(component_id)
    if not caller.may_use_component(component.id):
        raise Forbidden(f'This token has no access to the component "{component_id}".')
    return component


def create_configuration(
    tx: Transaction, caller: Caller, cipher: Cipher, component_id: str, wanted: NewConfiguration
) -> ConfigurationRow:
    component = get_component(caller, component_id)
    if not wanted.name:
        raise InvalidConfiguration('Invalid request:\n - name: "This field is missing."')
    config_id = wanted.configuration_id or str(ids.new_id(tx))
    if not _CONFIG_ID.fullmatch(config_id):
        raise InvalidConfiguration('Invalid request:\n - configurationId: "Use 1 to 255 characters, without `/`."')
    if configurations.find_configuration(tx, caller.project_id, caller.branch_id, component.id, config_id):
        raise ConfigurationExists(config_id)
    document, now = read_document(wanted.configuration, "configuration"), clock.now()
    scope = Scope(caller.project_id, component.id, component.hosts_of(document))
    row = ConfigurationRow(
        project_id=caller.project_id,
        branch_id=caller.branch_id,
        component_id=component.id,
        id=config_id,
        name=wanted.name,
        description=wanted.description,
        configuration=_seal(document, "configuration", cipher, scope),
        state=_seal(read_document(wanted.state, "state"), "state", cipher, Scope(caller.project_id, component.id)),
        version=1,
        version_identifier=ids.new_uuid(),
        change_description=wanted.change_description,
        is_disabled=wanted.is_disabled,
        created=now,
        changed=now,
        creator_id=caller.token_id,
        creator_description=caller.description,
    )
    configurations.add_configuration(tx, row)
    return row


def get_configuration(tx: Transaction, caller: Caller, component_id: str, config_id: str) -> ConfigurationRow:
    component = get_component(caller, component_id)
    found = configurations.find_configuration(tx, caller.project_id, caller.branch_id, component.id, config_id)
    if not found:
        raise ConfigurationNotFound(config_id)
    return found


def list_configurations(tx: Transaction, caller: Caller, component_id: str) -> list[ConfigurationRow]:
    component = get_component(caller, component_id)
    return configurations.list_configurations(tx, caller.project_id, caller.branch_id, component.id)


def list_all_configurations(tx: Transaction, caller: Caller) -> dict[str, list[ConfigurationRow]]:
    """What the caller may see, by component; components without configurations are left out."""
    found: dict[str, list[ConfigurationRow]] = {}
    for row in configurations.list_configurations(tx, caller.project_id, caller.branch_id):
        if caller.may_use_component(row.component_id):
            found.setdefault(row.component_id, []).append(row)
    return found


def save_state(
    tx: Transaction, caller: Caller, cipher: Cipher, component_id: str, config_id: str, state: dict[str, Any]
) -> None:
    """Keep what the component wants to know next time; a configuration that is gone keeps nothing."""
    row = configurations.find_configuration(tx, caller.project_id, caller.branch_id, component_id, config_id)
    if row:
        sealed = cipher.encrypt(state, Scope(caller.project_id, component_id))
        merged = msgspec.json.encode({**msgspec.json.decode(row.state), "component": sealed})
        configurations.set_state(tx, caller.project_id, caller.branch_id, component_id, config_id, merged)


def _seal(document: dict[str, Any], field: str, cipher: Cipher, scope: Scope) -> bytes:
    sealed = msgspec.json.encode(cipher.encrypt(document, scope))
    if len(sealed) > DOCUMENT_BYTES:
        raise TooLarge(f'"{field}" is larger than {DOCUMENT_BYTES:,} bytes.')
    return sealed


def read_document(given: Any, field: str) -> dict[str, Any]:
    """An object, or JSON text that holds one; nothing and `[]` are the empty object."""
    if isinstance(given, str) and given.strip():
        try:
            given = msgspec.json.decode(given)
        except (msgspec.DecodeError, RecursionError) as error:
            raise _wrong_format(field) from error
    if given in (None, [], ""):
        return {}
    if not isinstance(given, dict):
        raise _wrong_format(field)
    return cast(dict[str, Any], given)


def _wrong_format(field: str) -> InvalidFormat:
    return InvalidStateFormat(field) if field == "state" else InvalidFormat(field)
