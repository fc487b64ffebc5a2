"""What Encryption asks of Storage. It is given to it when a stack is built, since Storage is above it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from penstock.foundation.stack import Stack
from penstock.web.auth.scheme import Scheme


class PlainRow(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    name: str
    description: str
    is_disabled: bool
    document: dict[str, Any]
    state: dict[str, Any]


class PlainConfiguration(msgspec.Struct, frozen=True, kw_only=True):
    """A configuration with its secrets in plain text: never stored, logged or returned like this."""

    project_id: int
    component_id: str
    id: str
    name: str
    description: str
    is_disabled: bool
    document: dict[str, Any]
    state: dict[str, Any]
    rows: list[PlainRow]
    """In their order."""


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """Where a configuration is, and the Storage token that reads it."""

    token: str
    branch: str
    component_id: str
    config_id: str


class Storage(msgspec.Struct, frozen=True, kw_only=True):
    auth: Scheme
    """How a request proves that it has a Storage token."""
    read: Callable[[Stack, Place], PlainConfiguration]
    """Raises if the token may not use the component."""
    write: Callable[[Stack, str, PlainConfiguration], None]
    """Create it in the default branch of the project of this token; raises if there is one with this id."""
