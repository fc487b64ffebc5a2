"""The schema that the migrations create is the one that the services use."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import bindparam, inspect, select, text

from penstock import app
from penstock.foundation import clock, ids
from penstock.foundation.database import Database, Timestamp, metadata
from penstock.foundation.errors import Invalid
from penstock.foundation.migrations import COMMON, Chain, Schema, find_format, migrate
from penstock.foundation.outbound import Policy
from penstock.foundation.stack import open_stack
from penstock.services.management.interface import projects
from penstock.settings import Settings

SCHEMA = app.find_schema()
FORMATS = range(1, Schema().format + 1)
"""Of the common steps."""
STEP = """
from alembic import op
import sqlalchemy as sa

def upgrade() -> None:
    op.create_table("{name}", sa.Column("id", sa.BigInteger, primary_key=True))
"""


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[Database]:
    """An empty one, once on each."""
    if request.param == "sqlite":
        opened = Database(tmp_path / "metadata.sqlite")
    else:
        opened = Database(request.getfixturevalue("postgresql").make_database())
    yield opened
    opened.close()


@pytest.fixture(params=["metadata_file", "metadata_url"], ids=["sqlite", "postgresql"])
def with_common_steps(request: pytest.FixtureRequest) -> Generator[Database]:
    opened = Database(request.getfixturevalue(request.param))
    yield opened
    opened.close()


def test_migrations_make_what_the_services_ask_for(database: Database) -> None:
    migrate(database.engine, schema=SCHEMA)  # importing the app is what fills the metadata

    with database.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []
        assert find_format(connection) == SCHEMA.format


def test_the_format_is_the_number_of_all_migrations() -> None:
    services = [len(chain.steps) for chain in SCHEMA.services]

    assert [int(path.name[:4]) for path in COMMON.steps] == list(FORMATS)
    assert SCHEMA.format == len(COMMON.steps) + sum(services)


@pytest.mark.parametrize("firsts", [[FORMATS[0]], FORMATS], ids=["the first one", "each one"])
def test_every_format_leads_to_todays(database: Database, firsts: Sequence[int]) -> None:
    """Each one leads to the next, and the last to today's: the steps are the same, wherever a version stopped."""
    for first in firsts:
        migrate(database.engine, first)
        with database.engine.connect() as connection:
            assert find_format(connection) == first
        forget_chains(database)
    migrate(database.engine, schema=SCHEMA)
    migrate(database.engine, schema=SCHEMA)

    with database.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def forget_chains(database: Database) -> None:
    """As versions left a database that had one chain of steps, and its number in `alembic_version` only."""
    with database.engine.begin() as connection:
        connection.execute(text("DROP TABLE foundation_migrations"))


def make_chain(folder: Path, service: str, steps: int) -> Chain:
    """Of a service with a table for each step; the folder gets the steps that it does not have yet."""
    (folder / service).mkdir(exist_ok=True)
    for number in range(1, steps + 1):
        (folder / service / f"{number:04}_more.py").write_text(STEP.format(name=f"{service}_{number}"))
    return Chain(service, folder / service)


def tables_of(database: Database, *services: str) -> list[str]:
    with database.engine.connect() as connection:
        return sorted(name for name in inspect(connection).get_table_names() if name.startswith(services))


@pytest.mark.parametrize(("ants", "bees"), [(0, 0), (1, 0), (0, 2), (2, 1), (3, 2)])
def test_services_have_their_own_numbers_and_every_earlier_format_leads_to_todays(
    with_common_steps: Database, tmp_path: Path, ants: int, bees: int
) -> None:
    earlier = Schema((make_chain(tmp_path, "ants", ants), make_chain(tmp_path, "bees", bees)))
    migrate(with_common_steps.engine, schema=earlier)
    assert tables_of(with_common_steps, "ants", "bees") == [
        *(f"ants_{n + 1}" for n in range(ants)),
        *(f"bees_{n + 1}" for n in range(bees)),
    ]

    today = Schema((make_chain(tmp_path, "ants", 3), make_chain(tmp_path, "bees", 2)))
    migrate(with_common_steps.engine, schema=today)
    migrate(with_common_steps.engine, schema=today)

    assert tables_of(with_common_steps, "ants", "bees") == ["ants_1", "ants_2", "ants_3", "bees_1", "bees_2"]
    with with_common_steps.engine.connect() as connection:
        assert find_format(connection) == today.format == len(COMMON.steps) + 5


def test_a_step_that_fails_leaves_nothing_of_the_migration(database: Database, tmp_path: Path) -> None:
    chain = make_chain(tmp_path, "ants", 1)
    (chain.folder / "0002_broken.py").write_text("def upgrade() -> None:\n    raise ZeroDivisionError\n")

    with pytest.raises(ZeroDivisionError):
        migrate(database.engine, schema=Schema((chain,)))
    assert tables_of(database, "ants", "storage") == []


def test_a_gap_in_the_numbers_of_a_service_is_an_error(tmp_path: Path) -> None:
    chain = make_chain(tmp_path, "ants", 2)
    (chain.folder / "0001_more.py").unlink()

    with pytest.raises(ValueError, match="without a gap"):
        Schema((chain,)).format  # noqa: B018


def test_a_folder_of_a_program_with_more_steps_is_refused(tmp_path: Path) -> None:
    newer, settings = Schema((make_chain(tmp_path, "ants", 1),)), Settings(data_dir=str(tmp_path / "data"))
    open_stack(settings, Policy(), newer).close()

    with pytest.raises(Invalid, match=f"has format {newer.format}, and this version of Penstock reads up to"):
        open_stack(settings, Policy(), Schema())
    open_stack(settings, Policy(), newer).close()


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
            connection.execute(text(statement).bindparams(bindparam("now", clock.now(), type_=Timestamp)))

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
        list(pool.map(lambda _: migrate(database.engine, schema=SCHEMA), range(4)))

    with database.engine.connect() as connection:
        assert find_format(connection) == SCHEMA.format


def test_an_empty_database_has_no_format(database: Database) -> None:
    with database.engine.connect() as connection:
        assert find_format(connection) == 0
