"""What a job runs: the stored configuration or the job's own, one part for each row."""

from __future__ import annotations

from typing import Any

import msgspec

from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.services.queue.execution.errors import ComponentFailed
from penstock.services.queue.models.jobs import JobRow
from penstock.services.storage import interface as storage


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """A document to run; secrets in it are still encrypted."""

    row_id: str | None = None
    document: dict[str, Any]
    state: dict[str, Any] = {}


class Documents(msgspec.Struct, frozen=True, kw_only=True):
    parts: list[Part]
    version: int | None = None
    """Of the stored configuration."""
    skipped: list[str] = []
    """Rows that are disabled."""


def read_documents(tx: Transaction, caller: Caller, job: JobRow) -> Documents:
    if job.config_data is not None:
        return Documents(parts=[Part(document=msgspec.json.decode(job.config_data))])
    stored = storage.read_configuration(tx, caller, job.component, job.config or "")
    if not stored.rows:
        return Documents(parts=[Part(document=stored.document, state=stored.state)], version=stored.version)
    chosen = choose_rows(stored.rows, job.config_row_ids)
    parts = [_to_part(stored.document, row) for row in chosen]
    skipped = [] if job.config_row_ids else [row.id for row in stored.rows if row.is_disabled]
    return Documents(parts=parts, version=stored.version, skipped=skipped)


def choose_rows(rows: list[storage.Row], row_ids: list[str]) -> list[storage.Row]:
    """The listed ones, even disabled; without a list, those that are enabled."""
    if not row_ids:
        return [row for row in rows if not row.is_disabled]
    chosen = [row for row in rows if row.id in row_ids]
    if not chosen:
        names = ", ".join(row_ids)
        raise ComponentFailed(f'None of rows "{names}" was found.')
    return chosen


def _to_part(configuration: dict[str, Any], row: storage.Row) -> Part:
    if configuration.get("processors") and row.document.get("processors"):
        raise ComponentFailed(
            f'Processors may be set either in the configuration or in its rows, and row "{row.id}" sets them too.'
        )
    merged = storage.overlay(configuration, row.document)
    return Part(row_id=row.id, document=merged, state=row.state)
