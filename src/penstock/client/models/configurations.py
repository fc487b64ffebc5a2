"""Components and configurations."""

from __future__ import annotations

from typing import Any

from penstock.foundation.structs import Wire


class ConfigurationRow(Wire, frozen=True):
    """A part of a configuration, with its own document and state."""

    id: str
    name: str = ""
    description: str = ""
    is_disabled: bool = False
    version: int = 1
    configuration: Any = None
    state: Any = None


class Configuration(Wire, frozen=True):
    """`configuration` is the document. Secrets in it are encrypted; lists without documents leave it out."""

    id: str
    component: str = ""
    name: str = ""
    description: str = ""
    is_disabled: bool = False
    version: int = 1
    created: str | None = None
    change_description: str = ""
    configuration: Any = None
    state: Any = None
    rows: list[ConfigurationRow] = []
    rows_sort_order: list[str] = []


class Version(Wire, frozen=True):
    """A version of a configuration, without its document."""

    version: int
    created: str = ""
    change_description: str = ""


class Component(Wire, frozen=True):
    """A component; where it is listed for them, with its configurations."""

    id: str
    name: str = ""
    type: str = ""
    description: str = ""
    long_description: str = ""
    """Its documentation, with all settings and examples."""
    configuration_schema: dict[str, Any] = {}
    editor_schema: dict[str, Any] = {}
    """In its place, if it is empty."""
    configuration_row_schema: dict[str, Any] = {}
    configurations: list[Configuration] = []


class NewRow(Wire, frozen=True, omit_defaults=True):
    """A row to create, or the new contents of one."""

    name: str
    description: str
    is_disabled: bool
    configuration: Any
    row_id: str = ""
