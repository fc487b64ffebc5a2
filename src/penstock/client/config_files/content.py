"""What of a configuration is kept in files: all that a user writes, and nothing that changes automatically."""

from __future__ import annotations

import hashlib
from typing import Any, NamedTuple

import msgspec

from penstock.client.models import Configuration
from penstock.client.sql.workspace import COMPONENT, CONFIGURATION


class Key(NamedTuple):
    """Identifies a configuration in a project."""

    component: str
    id: str

    def __str__(self) -> str:
        return f"{self.component}/{self.id}"


SQL_WORKSPACE = Key(COMPONENT, CONFIGURATION)
"""Stacks create the configuration of the workspace of `penstock sql` themselves, so it is not kept in files."""


class RowContent(msgspec.Struct, frozen=True):
    name: str
    description: str
    is_disabled: bool
    configuration: Any


class Content(msgspec.Struct, frozen=True):
    name: str
    description: str
    is_disabled: bool
    configuration: Any
    rows: dict[str, RowContent] = {}
    """By id, in the order of ids."""
    rows_sort_order: list[str] = []
    """Empty if the rows have no order of their own."""

    @property
    def digest(self) -> str:
        """Equal for equal contents. The order of keys counts: it can be the order of columns."""
        return hashlib.sha256(msgspec.json.encode(self)).hexdigest()[:16]


def content_of(configuration: Configuration) -> Content:
    rows = {
        row.id: RowContent(row.name, row.description, row.is_disabled, row.configuration)
        for row in sorted(configuration.rows, key=lambda row: row.id)
    }
    return Content(
        name=configuration.name,
        description=configuration.description,
        is_disabled=configuration.is_disabled,
        configuration=configuration.configuration,
        rows=rows,
        rows_sort_order=configuration.rows_sort_order,
    )
