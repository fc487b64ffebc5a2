"""A service that publishes an event, and a reaction with an effect that can be counted."""

from __future__ import annotations

from typing import ClassVar

from sqlalchemy import func, insert, select

from penstock.foundation.database import Database, Transaction
from penstock.foundation.events import Event, publish
from penstock.foundation.events.outbox import outbox
from penstock.foundation.ids import sequences


class Brewed(Event, frozen=True, kw_only=True):
    name: ClassVar[str] = "kettle.brewed"
    cups: int


def brew(database: Database, *cups: int, project_id: int = 1) -> None:
    with database.writing() as tx:
        for number in cups:
            publish(tx, Brewed(project_id=project_id, cups=number))


def pour(tx: Transaction, event: Brewed) -> None:
    """An effect in the database, which a rollback takes back: a row for every time."""
    name = f"{event.project_id}/{event.cups}"
    times = tx.value(select(func.count()).where(sequences.c.name.startswith(f"{name}/")))
    tx.change(insert(sequences).values(name=f"{name}/{times}", value=1_000_000 + event.cups))


def poured(database: Database) -> list[str]:
    with database.reading() as tx:
        found = tx.connection.execute(select(sequences.c.name).where(sequences.c.value >= 1_000_000))
        return sorted(found.scalars())


def count_unfinished(database: Database) -> int:
    with database.reading() as tx:
        return int(tx.value(select(func.count()).select_from(outbox).where(~outbox.c.is_finished)))
