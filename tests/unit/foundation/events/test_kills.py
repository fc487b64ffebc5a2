"""Processes that are killed while they publish, deliver and record: every reaction takes effect exactly once."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

import pytest

from penstock.foundation.database import Database
from penstock.foundation.migrations import migrate
from tests.support.stacks import wait_for
from tests.unit.foundation.events.kettle import brew, count_unfinished, poured

pytestmark = pytest.mark.faults

ROOT = Path(__file__).parents[4]
EVENTS, KILLS = 200, 25


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "metadata.sqlite")
    return request.getfixturevalue("postgresql").make_database()


@pytest.fixture
def database(place: str) -> Generator[Database]:
    opened = Database(place if place.startswith("postgresql") else Path(place))
    migrate(opened.engine)
    yield opened
    opened.close()


def start(place: str, point: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-m", "tests.unit.foundation.events.killed", place, point], cwd=ROOT)


def die_at(place: str, point: str) -> None:
    assert start(place, point).wait(60) == -signal.SIGKILL


def deliver(place: str, database: Database) -> None:
    """By a worker that is not killed until all is delivered."""
    worker = start(place, "never")
    try:
        wait_for(lambda: count_unfinished(database) == 0, 60)
    finally:
        worker.kill()
        worker.wait()


def test_an_event_exists_when_its_transaction_was_committed(place: str, database: Database) -> None:
    die_at(place, "unpublished")
    assert count_unfinished(database) == 0

    die_at(place, "published")
    deliver(place, database)
    assert poured(database) == ["1/1/0", "1/1/1"], "by two reactions"


@pytest.mark.parametrize("point", ["claimed", "reacted", "recorded"])
def test_a_reaction_takes_effect_once_wherever_its_worker_dies(place: str, database: Database, point: str) -> None:
    brew(database, 1)
    for _ in range(3):
        die_at(place, point)
    deliver(place, database)

    assert poured(database) == ["1/1/0", "1/1/1"]


def test_workers_that_die_at_random_lose_nothing_and_do_nothing_twice(place: str, database: Database) -> None:
    chance = random.Random(7)
    for number in range(EVENTS):
        brew(database, number, project_id=1 + number % 5)
    workers = [start(place, "never") for _ in range(2)]
    for _ in range(KILLS):
        number = chance.randrange(len(workers))
        try:
            workers[number].wait(chance.uniform(0.5, 0.9))
        except subprocess.TimeoutExpired:
            workers[number].kill()
            workers[number].wait()
        workers[number] = start(place, "never")
    wait_for(lambda: count_unfinished(database) == 0, 60)
    for worker in workers:
        worker.kill()
        worker.wait()

    expected = [f"{1 + number % 5}/{number}/{reaction}" for number in range(EVENTS) for reaction in (0, 1)]
    assert poured(database) == sorted(expected)
