"""Steps of the schema of Queue, on data of the step before."""

from __future__ import annotations

import shutil
from collections.abc import Generator
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import Column, LargeBinary, MetaData, Table, select

from penstock.foundation import clock
from penstock.foundation.database import Database, Timestamp
from penstock.foundation.migrations import Chain, Schema, migrate
from penstock.services.queue import migrations

STEPS = Path(migrations.__file__).parent
TABLE = {"metrics": [{"name": "importedRowsCount", "value": 1250}, {"name": "other", "value": 5}]}
RESULTS = {
    1: ("success", {"message": "x\u0000y", "output": {"tables": [TABLE, {"id": "without"}, TABLE]}}),
    2: ("success", {"message": "of nothing", "output": {"tables": []}}),
    3: ("error", {"message": "failed"}),
    4: ("processing", {}),
}


@pytest.fixture(params=["metadata_file", "metadata_url"], ids=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest) -> Generator[Database]:
    opened = Database(request.getfixturevalue(request.param))
    yield opened
    opened.close()


def migrate_to(database: Database, folder: Path, step: int) -> None:
    """As a version of the program that had only the first steps."""
    folder.mkdir(exist_ok=True)
    for path in sorted(STEPS.glob("[0-9]*.py"))[:step]:
        shutil.copy(path, folder)
    migrate(database.engine, schema=Schema((Chain("queue", folder),)))


def test_jobs_that_have_ended_get_the_rows_of_their_results(database: Database, tmp_path: Path) -> None:
    migrate_to(database, tmp_path / "steps", 1)
    times = [Column(name, Timestamp) for name in ("created_time", "end_time")]
    with database.engine.begin() as connection:
        jobs = Table("queue_jobs", MetaData(), *times, Column("result", LargeBinary), autoload_with=connection)
        texts = dict.fromkeys(
            ("run_id", "parent_run_id", "token_description", "mode", "component", "component_type"), ""
        )
        lists = {name: [] for name in ("config_row_ids", "usage_data")}
        maps = {name: {} for name in ("metrics", "variable_values_data", "backend")}
        for number, (status, result) in RESULTS.items():
            is_finished = status != "processing"
            row = {
                **texts,
                **lists,
                **maps,
                "id": number,
                "project_id": 1,
                "branch_id": 1,
                "token_id": 1,
                "attempt": 0,
                "lost_leases": 0,
                "type": "standard",
                "status": status,
                "desired_status": "processing",
                "is_finished": is_finished,
                "is_held": False,
                "result": msgspec.json.encode(result),
                "created_time": clock.now(),
                "end_time": clock.now() if is_finished else None,
            }
            connection.execute(jobs.insert().values(row))

    migrate_to(database, tmp_path / "steps", 2)

    with database.engine.connect() as connection:
        jobs = Table("queue_jobs", MetaData(), autoload_with=connection)
        rows = connection.execute(select(jobs.c.id, jobs.c.rows_written).order_by(jobs.c.id))
        assert [tuple(row) for row in rows] == [(1, 2500), (2, 0), (3, 0), (4, 0)]
