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


def find_configuration(client: Client, given: str) -> Configuration:
    """Without its document."""
    known = client.configurations.list()
    for key in _MATCHES:
        found = [each for each in known if key(each) == given]
        if len(found) > 1:
            raise Invalid(f"{given} is not unique. Give one of: {', '.join(map(full_id, found))}.")
        if found:
            return found[0]
    names = [key(each) for key in _MATCHES for each in known]
    raise NotFound(f"There is no configuration {given}.{suggest(given, names)} See penstock configs list.")


def get_configuration(client: Client, given: str) -> Configuration:
    """With its document, rows and state."""
    found = find_configuration(client, given)
    return client.configurations.get(found.component, found.id)
