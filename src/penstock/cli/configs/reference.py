"""Finds the configuration that a user means: by id, by COMPONENT/ID, or by name."""

from __future__ import annotations

from collections.abc import Callable

from penstock.cli.suggestions import suggest
from penstock.client import Client, Configuration
from penstock.foundation.errors import Invalid, NotFound

_MATCHES: tuple[Callable[[Configuration], str], ...] = (
    lambda each: full_id(each),
    lambda each: each.id,
    lambda each: each.name,
)


def full_id(configuration: Configuration) -> str:
    return f"{configuration.component}/{configuration.id}"


def find_configuration(client: Client, name: str) -> Configuration:
    """Return the configuration without its document."""
    configurations = client.configurations.list()
    for key in _MATCHES:
        matches = [configuration for configuration in configurations if key(configuration) == name]
        if len(matches) > 1:
            raise Invalid(f"{name} is not unique. Give one of: {', '.join(map(full_id, matches))}.")
        if matches:
            return matches[0]
    names = [key(configuration) for key in _MATCHES for configuration in configurations]
    raise NotFound(f"There is no configuration {name}.{suggest(name, names)} See penstock configs list.")


def get_configuration(client: Client, name: str) -> Configuration:
    """Return the configuration with its document, rows and state."""
    configuration = find_configuration(client, name)
    return client.configurations.get(configuration.component, configuration.id)
