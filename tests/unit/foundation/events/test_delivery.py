"""Events reach every reaction once, in order, whatever fails."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import suppress
from datetime import datetime, timedelta

import pytest
from sqlalchemy import func, select, update

from penstock.foundation import clock, events
from penstock.foundation.database import Database, Transaction
from penstock.foundation.events import EventWorker, Reaction, delivery, on, publish
from penstock.foundation.events.outbox import outbox
from tests.support.stacks import ServicesOnly
from tests.unit.foundation.events.kettle import Brewed, brew, count_unfinished, pour, poured


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest) -> Generator[Database]:
    kind = {"sqlite": "metadata_file", "postgresql": "metadata_url"}[request.param]
    opened = Database(request.getfixturevalue(kind))
    yield opened
    opened.close()


class Clock:
    """Stands still until it is moved."""

    def __init__(self) -> None:
        self.now = clock.now()

    def move(self, **time: float) -> None:
        self.now += timedelta(**time)

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(clock, "source", made)
    return made


def hear(heard: list[int]) -> Callable[[Transaction, Brewed], None]:
    return lambda _tx, event: heard.append(event.cups)


def deliver_all(database: Database, *reactions: Reaction) -> None:
    worker = EventWorker(database, "w", reactions)
    while worker.run_one():
        pass


def test_an_event_reaches_every_reaction_once(database: Database) -> None:
    first: list[int] = []
    second: list[int] = []
    brew(database, 1, 2)
    reactions = [on(Brewed, hear(first), name="a.hear"), on(Brewed, hear(second), name="b.hear")]
    deliver_all(database, *reactions)
    deliver_all(database, *reactions)

    assert (first, second, count_unfinished(database)) == ([1, 2], [1, 2], 0)


def test_an_event_to_which_nothing_reacts_is_done_with(database: Database) -> None:
    brew(database, 1)
    deliver_all(database)

    assert count_unfinished(database) == 0


def test_an_event_of_a_transaction_that_is_rolled_back_is_not_delivered(database: Database) -> None:
    heard: list[int] = []
    with suppress(RuntimeError), database.writing() as tx:
        publish(tx, Brewed(project_id=1, cups=1))
        raise RuntimeError
    deliver_all(database, on(Brewed, hear(heard), name="a.hear"))

    assert heard == []


def test_a_reaction_that_fails_leaves_nothing_and_is_tried_again_later(database: Database, time: Clock) -> None:
    failures = [RuntimeError("a defect")]

    def spill(tx: Transaction, event: Brewed) -> None:
        pour(tx, event)
        if failures:
            raise failures.pop()

    brew(database, 1)
    deliver_all(database, on(Brewed, spill, name="a.spill"))
    assert (poured(database), count_unfinished(database)) == ([], 1)

    deliver_all(database, on(Brewed, spill, name="a.spill"))
    assert poured(database) == [], "not before its time"

    time.move(seconds=3)
    deliver_all(database, on(Brewed, spill, name="a.spill"))
    assert (poured(database), count_unfinished(database)) == (["1/1/0"], 0)


def test_a_reaction_that_fails_blocks_neither_other_reactions_nor_other_projects(
    database: Database, time: Clock
) -> None:
    heard: list[int] = []
    failing = [True]

    def break_down(_tx: Transaction, event: Brewed) -> None:
        if failing and event.project_id == 1:
            raise RuntimeError("a defect")
        heard.append(event.project_id * 10 + event.cups)

    others: list[int] = []
    reactions = [on(Brewed, break_down, name="a.break"), on(Brewed, hear(others), name="b.hear")]
    brew(database, 1, 2)
    brew(database, 3, project_id=2)
    deliver_all(database, *reactions)

    assert (heard, sorted(others)) == ([23], [1, 2, 3])
    failing.clear()
    time.move(seconds=3)
    deliver_all(database, *reactions)
    assert heard == [23, 11, 12], "the order within a project is kept"


def test_a_delivery_that_never_succeeds_is_set_aside(
    database: Database, time: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery, "ATTEMPTS", 3)
    heard: list[int] = []

    def refuse_first(_tx: Transaction, event: Brewed) -> None:
        if event.cups == 1:
            raise RuntimeError("a defect")
        heard.append(event.cups)

    brew(database, 1, 2)
    for _ in range(3):
        deliver_all(database, on(Brewed, refuse_first, name="a.refuse"))
        time.move(minutes=5)

    with database.reading() as tx:
        reasons = tx.connection.execute(select(outbox.c.error).where(outbox.c.status == "error")).scalars().all()
    assert (heard, reasons) == ([2], ["RuntimeError: a defect"])


def test_a_worker_that_was_given_up_does_nothing_twice(database: Database, time: Clock) -> None:
    brew(database, 1)
    reaction = on(Brewed, pour, name="a.pour")
    frozen = EventWorker(database, "frozen", [reaction])
    assert frozen.run_one(), "handed out"
    job = frozen.claim()
    assert job
    time.move(seconds=60)
    deliver_all(database, reaction)
    with pytest.raises(delivery.LeaseLost):
        frozen.perform(job)

    assert poured(database) == ["1/1/0"]


def test_a_worker_that_died_is_replaced(database: Database, time: Clock) -> None:
    brew(database, 1)
    dead = EventWorker(database, "dead", [on(Brewed, pour, name="a.pour")])
    assert dead.claim()
    deliver_all(database, on(Brewed, pour, name="a.pour"))
    assert poured(database) == []

    time.move(seconds=60)
    deliver_all(database, on(Brewed, pour, name="a.pour"))
    assert poured(database) == ["1/1/0"]


def test_nothing_is_delivered_while_the_worker_is_paused(database: Database) -> None:
    heard: list[int] = []
    paused = [True]
    brew(database, 1)
    worker = EventWorker(database, "w", [on(Brewed, hear(heard), name="a.hear")], lambda: bool(paused))
    assert not worker.run_one()
    paused.clear()

    assert [worker.run_one() for _ in range(3)] == [True, True, False]
    assert heard == [1]


def test_a_reaction_that_no_longer_exists_blocks_nothing(database: Database) -> None:
    brew(database, 1)
    assert EventWorker(database, "old", [on(Brewed, pour, name="a.pour")]).run_one()
    deliver_all(database)

    assert (poured(database), count_unfinished(database)) == ([], 0)


@pytest.mark.parametrize(("status", "kept"), [("success", timedelta(days=1)), ("error", timedelta(days=30))])
def test_old_deliveries_are_removed(services: ServicesOnly, status: str, kept: timedelta) -> None:
    database = services.stack.database
    brew(database, 1, 2)
    deliver_all(database)
    with database.writing() as tx:
        tx.change(update(outbox).values(status=status, end_time=clock.now()))
        oldest = select(func.min(outbox.c.id)).scalar_subquery()
        old = clock.now() - kept - timedelta(minutes=1)
        tx.change(update(outbox).where(outbox.c.id == oldest).values(end_time=old))
    brew(database, 3)
    events.maintain(services.stack)

    with database.reading() as tx:
        left = tx.connection.execute(select(outbox.c.is_finished).order_by(outbox.c.id)).scalars().all()
    assert left == [True, False]
