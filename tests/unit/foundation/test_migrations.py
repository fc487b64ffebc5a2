"""The schema that the migrations make is the one that the services ask for."""

from __future__ import annotations

from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from penstock import app
from penstock.foundation.database import Database, metadata
from penstock.foundation.migrations import FORMAT, migrate

VERSIONS = Path(migrate.__code__.co_filename).parent / "versions"


def test_migrations_make_what_the_services_ask_for(tmp_path: Path) -> None:
    assert app.SERVICES  # importing the app is what fills the metadata
    database = Database(tmp_path / "metadata.sqlite")
    migrate(database.engine)

    with database.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []
    database.close()


def test_the_format_is_the_number_of_the_newest_migration() -> None:
    numbers = sorted(int(path.name[:4]) for path in VERSIONS.glob("[0-9]*.py"))

    assert numbers == list(range(1, FORMAT + 1))


@pytest.mark.parametrize("first", range(1, FORMAT + 1))
def test_every_format_leads_to_todays(tmp_path: Path, first: int) -> None:
    database = Database(tmp_path / "metadata.sqlite")
    migrate(database.engine, first)
    migrate(database.engine)
    migrate(database.engine)

    with database.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    database.close()
