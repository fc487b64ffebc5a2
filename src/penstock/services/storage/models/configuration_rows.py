"""Rows of a configuration: parts that are run one by one, each with its own document, state and versions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, ClassVar

import msgspec
from msgspec import UNSET, UnsetType

from penstock.foundation.structs import Wire
from penstock.services.storage.models import TokenRef, to_text


class StoredRow(msgspec.Struct, frozen=True, kw_only=True):
    """A row as stored: documents as JSON text, secrets in them encrypted."""

    project_id: int
    branch_id: int
    component_id: str
    config_id: str
    id: str
    name: str
    description: str
    configuration: bytes
    state: bytes
    is_disabled: bool
    version: int
    version_identifier: str
    change_description: str
    created: datetime
    creator_id: int
    creator_description: str


class NewRow(Wire, frozen=True):
    name: str = ""
    """Name that people see."""
    description: str = ""
    """What the row does."""
    row_id: str = ""
    """Id of the row, unique within its configuration. Without it, a number is generated."""
    configuration: Any = None
    """What the component reads besides the configuration: an object, or a text with JSON, of at most 4 MB. A job merges
    it over the configuration."""
    state: Any = None
    """What the component reads as the state of the last run of the row."""
    is_disabled: bool = False
    """Whether jobs skip the row, unless they name it."""
    change_description: str = ""
    """Why the row is added, for the versions of the row and of the configuration."""


class ChangedRow(Wire, frozen=True):
    """Fields that are not set stay unchanged."""

    keeps_empty: ClassVar[tuple[str, ...]] = ("configuration", "state")

    name: str | UnsetType = UNSET
    """New name."""
    description: str | UnsetType = UNSET
    """New description."""
    configuration: Any = UNSET
    """The new content, which replaces the old one: an object, or a text with JSON, of at most 4 MB."""
    state: Any = UNSET
    """The new state. It creates no version."""
    is_disabled: bool | UnsetType = UNSET
    """Whether jobs skip the row, unless they name it."""
    change_description: str = ""
    """Why it is changed, for the versions of the row and of the configuration. Alone it changes nothing."""


class Row(Wire, frozen=True):
    id: str
    """Id of the row."""
    name: str
    """Name that people see."""
    description: str
    """What the row does."""
    is_disabled: bool
    """Whether jobs skip the row, unless they name it."""
    version: int
    """Number of the current version of the row, from 1."""
    created: str
    """When it was created."""
    creator_token: TokenRef
    """The token that created it."""
    change_description: str
    """Why it was changed the last time."""
    version_identifier: str
    """Identifies the version across rows and configurations."""
    configuration: msgspec.Raw | UnsetType = UNSET
    """What the component reads besides the configuration. Secrets are ciphers."""
    state: msgspec.Raw | UnsetType = UNSET
    """What the component reads as the state of the last run of the row."""


def row_view(row: StoredRow, include: frozenset[str]) -> Row:
    return Row(
        id=row.id,
        name=row.name,
        description=row.description,
        is_disabled=row.is_disabled,
        version=row.version,
        created=to_text(row.created),
        creator_token=TokenRef(row.creator_id, row.creator_description),
        change_description=row.change_description,
        version_identifier=row.version_identifier,
        configuration=msgspec.Raw(row.configuration) if "configuration" in include else UNSET,
        state=msgspec.Raw(row.state) if "state" in include else UNSET,
    )


def in_order(rows: Iterable[StoredRow], row_ids: Sequence[str]) -> list[StoredRow]:
    """Rows in the configuration's order; without one by id, and numeric ids by number."""
    places = {row_id: place for place, row_id in enumerate(row_ids)}
    return sorted(rows, key=lambda row: (places.get(row.id, len(places)), *_natural(row.id)))


def _natural(row_id: str) -> tuple[int, str]:
    return (len(row_id) if row_id.isdecimal() else 1000, row_id)
