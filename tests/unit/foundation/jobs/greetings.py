"""The smallest service that has background jobs: a table of greetings, and a worker that says them."""

from __future__ import annotations

import msgspec
from sqlalchemy import BigInteger, Column, MetaData, Table, Text, insert, select

from penstock.foundation import clock
from penstock.foundation.database import Database, Timestamp
from penstock.foundation.jobs.claims import Claims, change_claimed, columns
from penstock.foundation.jobs.worker import Worker

greetings = Table(
    "greetings",
    MetaData(),
    Column("id", BigInteger, primary_key=True),
    Column("project_id", BigInteger, nullable=False),
    Column("name", Text, nullable=False),
    Column("delayed_until", Timestamp),
    *columns(),
)


class Greeting(msgspec.Struct, frozen=True):
    id: int
    project_id: int
    name: str
    attempt: int
    worker: str | None


CLAIMS = Claims(greetings, delayed="delayed_until")


class GreetingWorker(Worker[Greeting]):
    def __init__(self, database: Database, name: str, said: list[str]) -> None:
        super().__init__(database, name, CLAIMS)
        self._said = said

    def claim(self) -> Greeting | None:
        with self._database.claiming() as tx:
            row = CLAIMS.claim(tx, self.name, clock.now())
        return msgspec.convert(row, Greeting) if row else None

    def perform(self, job: Greeting) -> None:
        self._said.append(f"Hello, {job.name}!")
        with self._database.writing() as tx:
            change_claimed(tx, greetings, job, status="success", is_finished=True, end_time=clock.now())


def add_greetings(database: Database, *names: str) -> None:
    new = {"project_id": 1, "status": "created", "is_finished": False, "attempt": 0, "lost_leases": 0}
    with database.writing() as tx:
        last = len(tx.connection.execute(select(greetings.c.id)).all())
        rows = [
            {"id": last + number, "name": name, "created_time": clock.now(), **new}
            for number, name in enumerate(names, 1)
        ]
        tx.change(insert(greetings), rows)
