"""PostgreSQL: the statements that claim a job accept whatever the columns of jobs accept."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing

import pytest

from penstock.foundation import clock
from penstock.foundation.database import Database
from tests.support.postgresql import PostgresServer
from tests.unit.foundation.jobs.greetings import CLAIMS, add_greetings, greetings


@pytest.fixture
def database(postgresql: PostgresServer) -> Generator[Database]:
    with closing(Database(postgresql.make_database())) as opened:
        greetings.create(opened.engine)
        yield opened


def test_a_job_whose_number_needs_eight_bytes_is_claimed(database: Database) -> None:
    add_greetings(database, "Ada")
    with database.writing() as tx:
        tx.change(greetings.update().values(id=2**31 + 5))

    with database.claiming() as tx:
        claimed = CLAIMS.claim(tx, "worker", clock.now())
    assert claimed
    assert claimed["id"] == 2**31 + 5
