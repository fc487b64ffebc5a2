"""What a configuration does, in sentences made from its document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from penstock.components.component import Component
from penstock.foundation.callers import Caller
from penstock.foundation.database import Transaction
from penstock.services.ai.documents import list_reads, list_secrets, list_steps, list_writes
from penstock.services.ai.errors import RowNotFound
from penstock.services.ai.models import ConfigurationQuestion
from penstock.services.storage import interface as storage
from penstock.services.storage.interface import RowSnapshot, Snapshot

FACTS = 30
"""Of one kind; there may be thousands of tables."""


class Configured(msgspec.Struct, frozen=True):
    """A configuration, or one row of it, with its component."""

    component: Component
    snapshot: Snapshot
    row: RowSnapshot | None = None


def read_configured(
    tx: Transaction, caller: Caller, question: ConfigurationQuestion, version: str | None = None
) -> Configured:
    """Raises if it does not exist, or the caller may not use the component."""
    there, config_id = storage.in_branch(tx, caller, str(question.branch_id)), str(question.config_id)
    component = storage.get_component(tx, there, question.component_id)
    snapshot = storage.read_snapshot(tx, there, question.component_id, config_id, version)
    row = find_row(snapshot, str(question.row_id)) if question.row_id is not None else None
    return Configured(component, snapshot, row)


def find_row(snapshot: Snapshot, row_id: str) -> RowSnapshot:
    found = next((row for row in snapshot.rows if row.id == row_id), None)
    if not found:
        raise RowNotFound(snapshot.id, row_id)
    return found


def describe(of: Configured) -> str:
    return "\n\n".join(_paragraphs(of))


def _paragraphs(of: Configured) -> Iterator[str]:
    snapshot, row = of.snapshot, of.row
    what = f'The row "{row.name or row.id}" of ' if row else ""
    yield (
        f'{what}"{snapshot.name}" is a configuration of {of.component.name} (`{of.component.id}`), '
        f"version {snapshot.version}." + (" It is disabled." if (row or snapshot).is_disabled else "")
    )
    if snapshot.description.strip() and not row:
        yield snapshot.description.strip()
    document = storage.overlay(snapshot.document, row.document) if row else snapshot.document
    yield from _facts("It reads:", list_reads(document))
    yield from _facts("It runs:", list_steps(document))
    yield from _facts("It writes:", list_writes(document))
    if snapshot.rows and not row:
        yield from _facts(f"It has {len(snapshot.rows)} rows:", _rows(snapshot.rows))
    yield from _facts("Its secrets, which are stored encrypted:", (f"`{each}`" for each in list_secrets(document)))


def _rows(rows: Iterable[RowSnapshot]) -> Iterator[str]:
    for row in rows:
        facts = [*list_reads(row.document), *list_writes(row.document)]
        about = f": {', '.join(facts[:3])}" if facts else ""
        yield f'"{row.name or row.id}"{about}' + (" (disabled)" if row.is_disabled else "")


def _facts(title: str, facts: Iterable[str]) -> Iterator[str]:
    found = list(dict.fromkeys(facts))
    more = [f"- and {len(found) - FACTS} more"] if len(found) > FACTS else []
    if found:
        yield "\n".join([title, *(f"- {each}" for each in found[:FACTS]), *more])
