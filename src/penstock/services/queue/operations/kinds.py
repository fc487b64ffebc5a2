"""What kind of job a request makes: one that runs a component, or one that is made of other jobs."""

from __future__ import annotations

from collections.abc import Sequence

from penstock.components.component import Component, Runs
from penstock.services.queue.models.jobs import Kind
from penstock.services.queue.models.requests import NewJob
from penstock.services.storage import interface as storage

PHASE = "phaseId"


def find_kind(component: Component, wanted: NewJob, rows: Sequence[storage.Row], parallelism: str | None) -> Kind:
    if component.runs is Runs.FLOW:
        return Kind.ORCHESTRATION
    if component.runs is Runs.ORCHESTRATION:
        return Kind.PHASE if (wanted.config_data or {}).get(PHASE) is not None else Kind.ORCHESTRATION
    is_parallel = parallelism not in (None, "0") and wanted.config_data is None
    return Kind.CONTAINER if is_parallel and _count_rows(wanted, rows) > 1 else Kind.STANDARD


def _count_rows(wanted: NewJob, rows: Sequence[storage.Row]) -> int:
    """Those that are listed, even disabled; without a list, those that are enabled."""
    listed = {str(row_id) for row_id in wanted.config_row_ids or []}
    return sum(row.id in listed if listed else not row.is_disabled for row in rows)
