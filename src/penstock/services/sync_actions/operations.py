"""What can be asked without running anything, and what every action is checked for first."""

from __future__ import annotations

from typing import Any

from penstock.components.component import Component
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.foundation.errors import Forbidden
from penstock.foundation.redaction import HIDDEN
from penstock.foundation.redaction.values import hide_values
from penstock.foundation.secrets import is_cipher
from penstock.foundation.stack import Stack
from penstock.services.developer import interface as developer
from penstock.services.queue import interface as queue
from penstock.services.storage import interface as storage
from penstock.services.sync_actions.errors import ComponentNotFound, UnknownAction


def list_actions(tx: Transaction, component_id: str) -> list[str]:
    component = developer.find_component(tx, component_id)
    if not component:
        raise ComponentNotFound(component_id)
    return list(component.synchronous_actions)


def get_component(tx: Transaction, caller: Caller, component_id: str, action: str) -> Component:
    """The component, if the caller may use it and it has the action."""
    try:
        component = storage.get_component(tx, caller, component_id)
    except Forbidden as error:
        raise queue.ComponentForbidden(component_id) from error
    if action not in component.synchronous_actions:
        raise UnknownAction(action, component.id, component.synchronous_actions)
    return component


def resolve_variables(stack: Stack, caller: Caller, document: dict[str, Any], branch_id: str) -> dict[str, Any]:
    """The configuration with shared code and variables in it. Secrets stay encrypted; one in plain text is hidden."""
    with stack.database.reading() as tx:
        placed = storage.in_branch(tx, caller, branch_id)
    return hide_values(queue.resolve_variables(stack, placed, document), HIDDEN, keeps=_is_encrypted)


def _is_encrypted(value: Any) -> bool:
    return isinstance(value, str) and is_cipher(value)
