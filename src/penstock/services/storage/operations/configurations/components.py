"""Components: resolve ids and aliases, check access, and locate their configurations."""

from __future__ import annotations

from penstock.components.component import Component
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.services.developer import interface as developer
from penstock.services.storage.errors.configurations import ComponentNotFound
from penstock.services.storage.errors.tokens import NotYours
from penstock.services.storage.models.configurations import ConfigurationKey


def get_component(tx: Transaction, caller: Caller, component_id: str) -> Component:
    """The component, by its id or an alias, if the caller may use it."""
    component = developer.find_component(tx, component_id, project_id=caller.project_id)
    if not component:
        raise ComponentNotFound(component_id)
    if not caller.may_use_component(component.id):
        raise NotYours
    return component


def key_of(tx: Transaction, caller: Caller, component_id: str, config_id: str) -> ConfigurationKey:
    """The key of an existing or new configuration in the caller's branch; raises if the caller may not use its
    component."""
    component = get_component(tx, caller, component_id)
    return ConfigurationKey(caller.project_id, caller.branch_id, component.id, config_id)
