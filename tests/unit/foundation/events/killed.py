"""A process that publishes or delivers events, and kills itself at a given point.

killed DATABASE POINT

POINT is where it ends: `published` and `unpublished` (after and before the commit of an event), `claimed`, `reacted`
(before the commit of a reaction), `recorded` (after it), or `never`: then it delivers until it is killed by others.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from penstock.foundation.database import Database, Transaction
from penstock.foundation.events import EventWorker, on, publish
from penstock.foundation.events.outbox import Delivery
from penstock.foundation.jobs.claims import worker_name
from tests.unit.foundation.events.kettle import Brewed, pour


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class Mortal(EventWorker):
    def __init__(self, database: Database, point: str) -> None:
        reactions = [on(Brewed, self._pour, name=name) for name in ("a.pour", "b.pour")]
        super().__init__(database, worker_name("mortal"), reactions)
        self._point = point

    def perform(self, job: Delivery) -> None:
        if self._point == "claimed":
            die()
        super().perform(job)
        if self._point == "recorded":
            die()

    def _pour(self, tx: Transaction, event: Brewed) -> None:
        pour(tx, event)
        if self._point == "reacted":
            die()


def publish_one(database: Database, point: str) -> None:
    with database.writing() as tx:
        publish(tx, Brewed(project_id=1, cups=1))
        if point == "unpublished":
            die()
    die()


def main(place: str, point: str) -> None:
    database = Database(place if place.startswith("postgresql") else Path(place))
    if "published" in point:
        publish_one(database, point)
    Mortal(database, point).run()


if __name__ == "__main__":
    main(*sys.argv[1:])
