"""The components of a stack, and their short actions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import msgspec

from penstock.client.discovery import ROOT
from penstock.client.models import Component
from penstock.client.transport import Transport
from penstock.foundation.stacks import STORAGE
from penstock.foundation.structs import Wire


class ComponentIndex(Wire, frozen=True):
    components: list[Component] = []


class Components:
    def __init__(self, find_url: Callable[[str], str], transport: Transport) -> None:
        self._find_url, self._transport = find_url, transport

    def list(self) -> list[Component]:
        """All of the stack, without their schemas and documentation."""
        query = {"exclude": "componentDetails"}
        return self._transport.get(self._storage, ComponentIndex, query, is_public=True).components

    def get(self, component_id: str) -> Component:
        return self._transport.get(f"{self._storage}/components/{quote(component_id, safe='')}", Component)

    def run_action(self, component_id: str, action: str, parameters: dict[str, Any]) -> Any:
        """The result of a short action; the stack ends one that takes longer than 30 seconds."""
        body = {"componentId": component_id, "action": action, "configData": {"parameters": parameters}}
        result = self._transport.post(f"{self._find_url('sync-actions')}/actions", body, msgspec.Raw)
        return msgspec.json.decode(result)

    @property
    def _storage(self) -> str:
        return f"{self._find_url(STORAGE)}{ROOT}"
