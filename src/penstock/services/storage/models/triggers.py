"""Triggers as stored, requested and returned: when all of these tables have new rows, run that configuration."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, ClassVar

import msgspec
from msgspec import UNSET, UnsetType

from penstock.foundation.events import Event
from penstock.foundation.limits import Watched
from penstock.foundation.structs import Wire
from penstock.services.storage.models import Number, TokenRef, to_text

MINUTES_IN_A_CENTURY = 100 * 366 * 1440
Minutes = Annotated[int, msgspec.Meta(ge=1, le=MINUTES_IN_A_CENTURY)]
TableIds = Watched[str] | str
"""In a form, a single value is not a list."""


class TriggerRow(msgspec.Struct, frozen=True, kw_only=True):
    id: int
    project_id: int
    run_with_token_id: int
    component: str
    configuration_id: str
    cool_down_minutes: int
    table_ids: list[str]
    creator_id: int
    creator_description: str
    created: datetime
    last_run: datetime | None = None
    loaded: list[str] = []
    """Those of its tables that were loaded since its last run, or since it was created."""


class TableLoaded(Event, frozen=True, kw_only=True):
    """Rows were imported into a table that triggers watch."""

    name: ClassVar[str] = "storage.tableLoaded"

    table_id: str
    trigger_ids: list[int]
    run_id: str | None = None
    """Of the job that did it, as its client says."""


class TriggerChanged(Event, frozen=True, kw_only=True):
    """What it watches or its cool-down may be another one now."""

    name: ClassVar[str] = "storage.triggerChanged"

    trigger_id: int


class NewTrigger(Wire, frozen=True):
    run_with_token_id: Number
    """Id of the token that the configuration runs with."""
    component: Annotated[str, msgspec.Meta(min_length=1)]
    """Id of the component to run."""
    configuration_id: str | int
    """Id of the configuration to run."""
    cool_down_period_minutes: Minutes
    """Minutes that pass between two runs, at least."""
    table_ids: TableIds
    """Ids of the tables. The configuration runs when all of them were loaded since the last run."""


class TriggerChange(Wire, frozen=True):
    """Fields that are not set stay unchanged."""

    run_with_token_id: Number | UnsetType = UNSET
    """Id of the token that the configuration runs with."""
    component: Annotated[str, msgspec.Meta(min_length=1)] | UnsetType = UNSET
    """Id of the component to run."""
    configuration_id: str | int | UnsetType = UNSET
    """Id of the configuration to run."""
    cool_down_period_minutes: Minutes | UnsetType = UNSET
    """Minutes that pass between two runs, at least."""
    table_ids: TableIds | UnsetType = UNSET
    """Ids of the tables. The configuration runs when all of them were loaded since the last run."""


class TriggerQuery(Wire, frozen=True):
    component: str = ""
    """Only triggers that run this component."""
    configuration_id: str = ""
    """Only triggers that run this configuration."""


class TriggerTable(Wire, frozen=True):
    table_id: str


class Trigger(Wire, frozen=True):
    id: str
    run_with_token_id: int
    component: str
    configuration_id: str
    last_run: str | None
    cool_down_period_minutes: int
    creator_token: TokenRef
    tables: list[TriggerTable]


def trigger_view(row: TriggerRow) -> Trigger:
    return Trigger(
        id=str(row.id),
        run_with_token_id=row.run_with_token_id,
        component=row.component,
        configuration_id=row.configuration_id,
        last_run=to_text(row.last_run) if row.last_run else None,
        cool_down_period_minutes=row.cool_down_minutes,
        creator_token=TokenRef(row.creator_id, row.creator_description),
        tables=[TriggerTable(table_id=table_id) for table_id in row.table_ids],
    )
