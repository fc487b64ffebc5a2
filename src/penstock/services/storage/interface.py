"""What other services may ask of Storage."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from penstock.components.component import Component
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.stack import Stack
from penstock.services.storage.models.configurations import NewConfiguration
from penstock.services.storage.models.events import NewEvent
from penstock.services.storage.models.tables import TableLoad
from penstock.services.storage.operations import events, projects, tokens
from penstock.services.storage.operations.configurations import components, configurations
from penstock.services.storage.operations.tables import component_loads

__all__ = [
    "Configuration",
    "NewConfiguration",
    "NewEvent",
    "StoredTable",
    "TableLoad",
    "add_events",
    "authenticate",
    "check_load",
    "create_admin_token",
    "create_configuration",
    "create_project",
    "get_caller",
    "get_component",
    "load_table",
    "read_configuration",
    "save_state",
]


class Configuration(msgspec.Struct, frozen=True, kw_only=True):
    """A configuration as a job needs it; secrets in its documents are still encrypted."""

    id: str
    version: int
    is_disabled: bool
    document: dict[str, Any]
    state: dict[str, Any]


class StoredTable(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    name: str
    display_name: str
    columns: list[str]
    rows_count: int
    imported_rows: int


def authenticate(stack: Stack, token: str) -> Caller:
    return tokens.authenticate(stack, token)


def get_caller(stack: Stack, project_id: int, token_id: int) -> Caller:
    """Who a token stands for now; raises if it was revoked or has expired."""
    return tokens.get_caller(stack, project_id, token_id)


def create_project(tx: Transaction, name: str, admin: str) -> tuple[str, Caller]:
    """A project, and the text of its administrator's token."""
    token, caller = projects.create_project(tx, name, admin)
    return token.text, caller


def create_admin_token(tx: Transaction, project_id: int, admin: str) -> str:
    return tokens.create_master_token(tx, project_id, admin).text


def create_configuration(
    tx: Transaction, stack: Stack, caller: Caller, component_id: str, wanted: NewConfiguration
) -> None:
    configurations.create_configuration(tx, caller, stack.cipher, component_id, wanted)


def get_component(caller: Caller, component_id: str) -> Component:
    return components.get_component(caller, component_id)


def read_configuration(tx: Transaction, caller: Caller, component_id: str, config_id: str) -> Configuration:
    row = configurations.get_configuration(tx, components.key_of(caller, component_id, config_id))
    return Configuration(
        id=row.id,
        version=row.version,
        is_disabled=row.is_disabled,
        document=msgspec.json.decode(row.configuration),
        state=msgspec.json.decode(row.state),
    )


def save_state(
    tx: Transaction, stack: Stack, caller: Caller, component_id: str, config_id: str, state: dict[str, Any]
) -> None:
    """Keep what the component wants to know next time, beside what others keep in the state."""
    configurations.save_state(tx, caller, stack.cipher, component_id, config_id, state)


def check_load(stack: Stack, caller: Caller, load: TableLoad) -> None:
    """Raise what can be seen to be wrong with a load before it begins."""
    component_loads.plan_load(stack, caller, load)


def load_table(stack: Stack, caller: Caller, load: TableLoad) -> StoredTable:
    row, imported = component_loads.load_table(stack, caller, load)
    return StoredTable(
        id=row.id,
        name=row.name,
        display_name=row.display_name,
        columns=row.columns,
        rows_count=row.rows_count,
        imported_rows=imported,
    )


def add_events(tx: Transaction, caller: Caller, happened: Sequence[NewEvent]) -> None:
    events.add_events(tx, caller, happened)
