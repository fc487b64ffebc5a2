"""The schema that the migrations create is the one that the services use."""

from __future__ import annotations

from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import bindparam, select, text

from penstock import app
from penstock.foundation import clock, ids
from penstock.foundation.database import Database, Moment, metadata
from penstock.foundation.migrations import FORMAT, find_format, migrate
from penstock.services.management.interface import projects

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


def test_what_was_there_before_branches_had_storage_is_mains(database: Database) -> None:
    """Snapshots are placed in Main, projects have no features, and jobs that wait work in Main."""
    migrate(database.engine, 12)
    fill = """
        INSERT INTO management_projects (id, name, created) VALUES (1, 'one', :now), (2, 'two', :now);
        INSERT INTO storage_branches (id, project_id, name, is_default, created, description)
            VALUES (3, 1, 'Main', true, :now, ''), (4, 1, 'Try', false, :now, ''), (5, 2, 'Main', true, :now, '');
        INSERT INTO storage_snapshots (id, project_id, table_id, description, columns, primary_key, rows_count,
            data_size_bytes, created, creator_id, creator_description)
            VALUES (6, 1, 'in.c-a.t', '', '[]', '[]', 0, 0, :now, 9, ''),
                   (7, 2, 'in.c-a.t', '', '[]', '[]', 0, 0, :now, 9, '');
        INSERT INTO storage_jobs (id, project_id, branch_id, token_id, token_description, operation, params, status,
            is_finished, created_time, attempt, deaths)
            VALUES (8, 1, 4, 9, '', 'tableDrop', '{}', 'waiting', false, :now, 0, 0);
        INSERT INTO queue_jobs (id, project_id, branch_id, run_id, parent_run_id, token_id, token_description, mode,
            component, component_type, config_row_ids, type, status, desired_status, is_finished, is_held, result,
            usage_data, metrics, variable_values_data, backend, created_time, attempt, deaths)
            VALUES (10, 1, 4, '10', '', 9, '', 'run', 'x', '', '[]', 'standard', 'waiting', 'processing', false, false,
            '{}', '[]', '{}', '{}', '{}', :now, 0, 0)
    """
    with database.engine.begin() as connection:
        for statement in fill.split(";"):
            connection.execute(text(statement).bindparams(bindparam("now", clock.now(), type_=Moment)))

    migrate(database.engine)

    with database.engine.connect() as connection:
        found = [
            connection.execute(text(f"SELECT {what}")).all()
            for what in (
                "id, branch_id FROM storage_snapshots ORDER BY id",
                "has_storage_branches FROM storage_jobs",
                "has_storage_branches FROM queue_jobs",
            )
        ]
        assert found == [[(6, 3), (7, 5)], [(False,)], [(False,)]]
        assert connection.execute(select(projects.c.features)).scalars().all() == [[], []]


@pytest.mark.parametrize("last", [0, 41])
def test_ids_go_on_where_they_were(database: Database, last: int) -> None:
    migrate(database.engine, 16)
    with database.engine.begin() as connection:
        connection.execute(text("UPDATE foundation_sequences SET value = :last WHERE name = 'ids'"), {"last": last})

    migrate(database.engine)

    with database.writing() as tx:
        assert [ids.new_id(tx), *ids.new_ids(tx, 2)] == [last + 1, last + 2, last + 3]


def test_two_that_start_at_once_migrate_one_after_the_other(database: Database) -> None:
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: migrate(database.engine), range(4)))

    with database.engine.connect() as connection:
        assert find_format(connection) == FORMAT


def test_an_empty_database_has_no_format(database: Database) -> None:
    with database.engine.connect() as connection:
        assert find_format(connection) == 0
