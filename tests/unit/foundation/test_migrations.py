"""The schema that the migrations make is the one that the services ask for."""

from __future__ import annotations

from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from penstock import app
from penstock.foundation.database import Database, metadata
from penstock.foundation.migrations import FORMAT, find_format, migrate

VERSIONS = Path(migrate.__code__.co_filename).parent / "versions"


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[Database]:
    """An empty one, once on each."""
    if request.param == "sqlite":
        opened = Database(tmp_path / "metadata.sqlite")
    else:
        opened = Database(request.getfixturevalue("postgresql").make_database())
    yield opened
    opened.close()


def test_migrations_make_what_the_services_ask_for(database: Database) -> None:
    assert app.SERVICES  # importing the app is what fills the metadata
    migrate(database.engine)

    with database.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []
        assert find_format(connection) == FORMAT


def test_the_format_is_the_number_of_the_newest_migration() -> None:
    numbers = sorted(int(path.name[:4]) for path in VERSIONS.glob("[0-9]*.py"))

    assert numbers == list(range(1, FORMAT + 1))


@pytest.mark.parametrize("first", range(1, FORMAT + 1))
def test_every_format_leads_to_todays(database: Database, first: int) -> None:
    migrate(database.engine, first)
    migrate(database.engine)
    migrate(database.engine)

    with database.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def test_two_that_start_at_once_migrate_one_after_the_other(database: Database) -> None:
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: migrate(database.engine), range(4)))

    with database.engine.connect() as connection:
        assert find_format(connection) == FORMAT


def test_an_empty_database_has_no_format(database: Database) -> None:
    with database.engine.connect() as connection:
        assert find_format(connection) == 0
