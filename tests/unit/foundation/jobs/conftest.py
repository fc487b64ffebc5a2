from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import pytest

from penstock.foundation.database import Database, Transaction
from tests.unit.foundation.jobs.greetings import greetings


class CountingDatabase(Database):
    """Counts transactions; reading raises `error` while there is one."""

    reads, writes = 0, 0
    error: Exception | None = None

    @contextmanager
    def reading(self) -> Generator[Transaction]:
        self.reads += 1
        if self.error:
            raise self.error
        with super().reading() as tx:
            yield tx

    @contextmanager
    def writing(self, project_id: int | None = None) -> Generator[Transaction]:
        self.writes += 1
        with super().writing(project_id) as tx:
            yield tx

    @contextmanager
    def claiming(self) -> Generator[Transaction]:
        self.writes += 1
        with super().claiming() as tx:
            yield tx


AnyDatabase = TypeVar("AnyDatabase", bound=Database)


def make_database(kind: type[AnyDatabase], path: Path) -> Generator[AnyDatabase]:
    """With a table of jobs that no service of ours has."""
    opened = kind(path)
    greetings.create(opened.engine)
    yield opened
    opened.close()


@pytest.fixture
def database(metadata_file: Path) -> Generator[Database]:
    yield from make_database(Database, metadata_file)


@pytest.fixture
def counting(metadata_file: Path) -> Generator[CountingDatabase]:
    yield from make_database(CountingDatabase, metadata_file)
