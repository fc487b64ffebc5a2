"""What services do when a project is purged: remove their rows of it."""

from __future__ import annotations

from sqlalchemy import Table, delete, select, tuple_

from penstock.foundation.database import Transaction, metadata
from penstock.foundation.events import Reaction, on
from penstock.services.management.models.events import ProjectPurged
from penstock.services.management.store.purchases import purchases


def remove_rows_of(service_id: str) -> Reaction:
    """The reaction of a service that has no other: it removes every row with the id of the project."""

    def remove(tx: Transaction, event: ProjectPurged) -> None:
        remove_rows(tx, event.project_id, *tables_of(service_id))

    return on(ProjectPurged, remove, name=f"{service_id}.removeProject")


def tables_of(service_id: str) -> list[Table]:
    """Return the tables whose `project_id` is the project of a row, except that of credits that were bought."""
    start = f"{service_id.replace('-', '_')}_"
    found = [table for name, table in sorted(metadata.tables.items()) if name.startswith(start)]
    return [table for table in found if "project_id" in table.c and table is not purchases]


def remove_portion(tx: Transaction, project_id: int, table: Table, most: int) -> int:
    """How many rows of the project were removed: as long as it is `most`, there may be more."""
    key = tuple_(*table.primary_key.columns)
    some = select(*table.primary_key.columns).where(table.c.project_id == project_id).limit(most)
    return tx.change(delete(table).where(table.c.project_id == project_id, key.in_(some)))


def remove_rows(tx: Transaction, project_id: int, *tables: Table) -> None:
    for table in tables:
        tx.change(delete(table).where(table.c.project_id == project_id))
