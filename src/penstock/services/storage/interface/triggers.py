"""Triggers, whose jobs the queue creates."""

from __future__ import annotations

from datetime import datetime, timedelta

import msgspec

from penstock.foundation.database import Transaction
from penstock.services.storage.operations import (
    branches,
    triggers,
)


class Trigger(msgspec.Struct, frozen=True, kw_only=True):
    """A configuration to be run when tables have new rows."""

    id: int
    component: str
    configuration_id: str
    token_id: int
    """Whose rights its jobs have."""
    branch_id: int
    ready: datetime | None
    """When it may run again, after its cool-down; None if it has not run yet."""


def find_trigger(tx: Transaction, project_id: int, trigger_id: int) -> Trigger | None:
    row = triggers.find_trigger(tx, project_id, trigger_id)
    if not row:
        return None
    branch_id = branches.get_main_id(tx, project_id)
    return Trigger(
        id=row.id,
        component=row.component,
        configuration_id=row.configuration_id,
        token_id=row.run_with_token_id,
        branch_id=branch_id,
        ready=row.last_run + timedelta(minutes=row.cool_down_minutes) if row.last_run else None,
    )


def is_trigger_loaded(tx: Transaction, project_id: int, trigger_id: int) -> bool:
    """Whether all of its tables have new rows since its last run."""
    row = triggers.find_trigger(tx, project_id, trigger_id)
    return row is not None and triggers.is_loaded(tx, row, branches.get_main_id(tx, project_id))


def record_trigger_run(tx: Transaction, project_id: int, trigger_id: int, time: datetime) -> None:
    """Record a run: its cool-down begins at that time, and only later loads of its tables count."""
    triggers.record_run(tx, project_id, trigger_id, time)
