"""The configurations of a project, with their rows and states."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import msgspec

from penstock.client.models import Component, Configuration, ConfigurationRow, NewRow, Version
from penstock.client.transport import Transport

DOCUMENTS = "configuration,rows,state"


class Configurations:
    def __init__(self, url: str, transport: Transport) -> None:
        self._url, self._transport = f"{url}/v2/storage/components", transport

    def list(self, component: str = "", *, with_documents: bool = False) -> list[Configuration]:
        """All of the project in one request, by component and id; with their documents and rows only if asked."""
        query = {"include": DOCUMENTS if with_documents else ""}
        components = self._transport.get(self._url, list[Component], query)
        named = [
            _named(stored, owner.id)
            for owner in components
            for stored in owner.configurations
            if component in ("", owner.id)
        ]
        return sorted(named, key=lambda stored: (stored.component, stored.id))

    def get(self, component: str, config_id: str) -> Configuration:
        return _named(self._transport.get(self._one(component, config_id), Configuration), component)

    def create(
        self,
        component: str,
        name: str,
        document: Any,
        *,
        config_id: str = "",
        description: str = "",
        is_disabled: bool = False,
        reason: str = "",
    ) -> Configuration:
        """Values under keys that begin with # are encrypted by the stack."""
        body = {
            "name": name,
            "configurationId": config_id,
            "description": description,
            "configuration": document,
            "isDisabled": is_disabled,
            "changeDescription": reason,
        }
        return _named(self._transport.post(f"{self._url}/{_quote(component)}/configs", body, Configuration), component)

    def update(self, component: str, config_id: str, changes: dict[str, Any], reason: str = "") -> Configuration:
        """Change fields by their names in the API, such as `configuration`. Other fields stay; the version rises."""
        body = {**changes, "changeDescription": reason}
        return _named(self._transport.put(self._one(component, config_id), body, Configuration), component)

    def delete(self, component: str, config_id: str) -> None:
        """Moves it to the trash."""
        self._transport.delete(self._one(component, config_id))

    def set_state(self, component: str, config_id: str, state: Any, row_id: str = "") -> None:
        """Replace the state, which the component reads in its next run."""
        owner = self._row(component, config_id, row_id) if row_id else self._one(component, config_id)
        self._transport.put(f"{owner}/state", {"state": state}, msgspec.Raw)

    def list_versions(self, component: str, config_id: str, limit: int = 100) -> list[Version]:
        """Newest first."""
        return self._transport.get(f"{self._one(component, config_id)}/versions", list[Version], {"limit": limit})

    def roll_back(self, component: str, config_id: str, version: int) -> None:
        """Return to an earlier version, with the rows that it had."""
        url = f"{self._one(component, config_id)}/versions/{version}/rollback"
        self._transport.post(url, {}, msgspec.Raw)

    def create_row(self, component: str, config_id: str, row: NewRow) -> ConfigurationRow:
        return self._transport.post(f"{self._one(component, config_id)}/rows", row, ConfigurationRow)

    def update_row(self, component: str, config_id: str, row_id: str, row: NewRow) -> ConfigurationRow:
        return self._transport.put(self._row(component, config_id, row_id), row, ConfigurationRow)

    def delete_row(self, component: str, config_id: str, row_id: str) -> None:
        self._transport.delete(self._row(component, config_id, row_id))

    def _one(self, component: str, config_id: str) -> str:
        return f"{self._url}/{_quote(component)}/configs/{_quote(config_id)}"

    def _row(self, component: str, config_id: str, row_id: str) -> str:
        return f"{self._one(component, config_id)}/rows/{_quote(row_id)}"


def _named(configuration: Configuration, component: str) -> Configuration:
    return msgspec.structs.replace(configuration, component=component)


def _quote(part: str) -> str:
    return quote(part, safe="")
