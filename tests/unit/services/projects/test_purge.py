"""A purged project leaves nothing behind, in any service."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from collections.abc import Generator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from penstock.app import list_services
from penstock.foundation import clock
from penstock.foundation.database import metadata
from penstock.services.management import interface as management
from penstock.services.queue.reports.job_events import to_event
from penstock.services.queue.running import leases
from penstock.services.storage import purging
from penstock.services.storage.store import purges, workspaces
from tests.support.patience import PATIENCE
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import Project, add_project, load_table
from tests.unit.services.projects.changing import change, deliver, finish_purges
from tests.unit.services.projects.killed import POINTS
from tests.unit.services.world import World

ROOT = Path(__file__).parents[4]
STAYS = {
    *("foundation_audit", "foundation_outbox", "management_credits"),
    *("billing_entries", "billing_days", "billing_accounts"),
}
"""The audit log, the ledger and the credits that were bought only grow; delivered events are removed after a day."""


@pytest.fixture
def own_world(made_worlds: tuple[Path, World, World], tmp_path: Path) -> Generator[tuple[ServicesOnly, World, World]]:
    shutil.copytree(made_worlds[0], tmp_path / "data", ignore=shutil.ignore_patterns("*.sock"))
    stack = ServicesOnly(tmp_path / "data")
    yield stack, made_worlds[1].at(stack), made_worlds[2].at(stack)
    stack.close()


def count_rows(services: ServicesOnly, project: Project) -> dict[str, int]:
    """Of the project, in every table that has such a column."""
    list_services()
    tables = [table for table in metadata.tables.values() if "project_id" in table.c]
    with services.stack.database.reading() as tx:
        found = {
            table.name: tx.value(
                select(func.count()).select_from(table).where(table.c.project_id == project.caller.project_id)
            )
            for table in tables
        }
    return {name: count for name, count in found.items() if count and name not in STAYS}


def find_folders(services: ServicesOnly, project: Project) -> list[Path]:
    """Of its tables, snapshots, files and workspaces."""
    stack, project_id = services.stack, project.caller.project_id
    with stack.database.reading() as tx:
        numbers, files = purges.list_lake_numbers(tx, project_id), purges.list_file_ids(tx, project_id)
        sql = [row.id for row in workspaces.list_every_workspace(tx) if row.project_id == project_id]
    named = {"lake": numbers, "files/stored": files, "workspaces": sql}
    paths = [stack.folder / name / str(number) for name, found in named.items() for number in found]
    return [path for path in paths if path.exists()]


def test_a_project_with_one_of_everything_is_gone(own_world: tuple[ServicesOnly, World, World]) -> None:
    services, mine, theirs = own_world
    before, others, folders = count_rows(services, mine.project), theirs.look(), find_folders(services, mine.project)
    assert len(before) > 25, "the world has one of everything"
    assert {path.parent.name for path in folders} == {"lake", "stored", "workspaces"}
    change(services, mine.project, "delete")
    change(services, mine.project, "purge")
    finish_purges(services)

    assert count_rows(services, mine.project) == {}
    assert [path for path in folders if path.exists()] == []
    assert services.service("storage", mine.project.token).get("/v2/storage/buckets").status == 401
    assert theirs.look().keys() == others.keys()
    assert theirs.look()["/v2/storage/tables"] == others["/v2/storage/tables"]


def test_a_purge_on_each_database_leaves_other_projects_alone(shared: ServicesOnly) -> None:
    gone, stays = add_project(shared), add_project(shared)
    for project in (gone, stays):
        load_table(shared, "in.c-main.t", "id\n1\n2\n", project)
    linked = {"stage": "in", "name": "linked", "sourceProjectId": gone.caller.project_id}
    shared.service("storage", gone.token).post("/v2/storage/buckets/in.c-main/share-organization", {})
    made = shared.service("storage", stays.token).post("/v2/storage/buckets", {**linked, "sourceBucketId": "in.c-main"})
    assert made.status == 201, made.text
    before, folders = count_rows(shared, stays), find_folders(shared, gone)
    change(shared, gone, "delete")
    change(shared, gone, "purge")
    finish_purges(shared)

    assert folders
    assert [path for path in folders if path.exists()] == []
    assert count_rows(shared, gone) == {}
    after = count_rows(shared, stays)
    assert before["storage_buckets"] - after["storage_buckets"] == 1, "the link to what is gone"
    assert after["storage_tables"] == before["storage_tables"]
    assert len(find_folders(shared, stays)) == 1


def test_a_job_that_still_runs_leaves_nothing_in_a_purged_project(shared: ServicesOnly) -> None:
    project = add_project(shared)
    wanted = {"component": "keboola.runner-config-test", "mode": "run", "configData": {"parameters": {}}}
    made = shared.service("queue", project.token).post("/jobs", wanted)
    assert made.status == 201, made.text
    job = leases.claim_job(shared.stack, "w")
    assert job
    assert str(job.id) == made.json["id"]
    change(shared, project, "delete")
    change(shared, project, "purge")
    finish_purges(shared)
    leases.add_log(shared.stack, project.caller, leases.Pending([to_event(job, "info", "still here")]))

    assert leases.is_unwanted(shared.stack, job)
    assert count_rows(shared, project) == {}


def test_the_account_of_a_purged_project_adds_up_as_before(shared: ServicesOnly) -> None:
    project = add_project(shared)
    number = project.caller.project_id
    with shared.stack.database.writing() as tx:
        management.add_credits(tx, number, Decimal("12.5"), "first")
        management.add_credits(tx, number, Decimal("-2.25"), "taken back")
    change(shared, project, "delete")
    change(shared, project, "purge")
    finish_purges(shared)

    with shared.stack.database.reading() as tx:
        assert management.sum_credits(tx, number) == Decimal("10.25")
    assert count_rows(shared, project) == {}


def test_a_purge_removes_rows_in_portions(shared: ServicesOnly, monkeypatch: pytest.MonkeyPatch) -> None:
    project = add_project(shared)
    for number in range(5):
        load_table(shared, f"in.c-main.t{number}", "id\n1\n", project)
    before = count_rows(shared, project)
    assert before["storage_tables"] == 5
    portions = list[int]()

    def remove_some(*given: Any) -> int:
        portions.append(remove(*given))
        return portions[-1]

    remove = purging.remove_portion
    monkeypatch.setattr(purging, "PORTION", 2)
    monkeypatch.setattr(purging, "remove_portion", remove_some)
    change(shared, project, "delete")
    change(shared, project, "purge")
    finish_purges(shared)

    assert count_rows(shared, project) == {}
    assert max(portions) == 2


@pytest.mark.faults
@pytest.mark.parametrize("point", POINTS)
def test_a_killed_purge_is_finished_by_another_worker(services_on_each: ServicesOnly, point: str) -> None:
    services = services_on_each
    project = add_project(services)
    load_table(services, "in.c-main.t", "id\n1\n", project)
    client = services.service("storage", project.token)
    assert client.post("/v2/storage/files/prepare", {"name": "a.csv", "federationToken": 1}).status < 300
    folders = find_folders(services, project)
    change(services, project, "delete")
    change(services, project, "purge")
    deliver(services)
    place = services.settings.database or ""
    command = [sys.executable, "-m", "tests.unit.services.projects.killed", str(services.stack.folder), place, point]
    assert subprocess.Popen(command, cwd=ROOT).wait(PATIENCE) == -signal.SIGKILL
    assert count_rows(services, project)["storage_purges"] == 1
    with services.stack.database.writing() as tx:
        purges.CLAIMS.expire_gone_workers(tx, clock.now())
    finish_purges(services)

    assert count_rows(services, project) == {}
    assert [path for path in folders if path.exists()] == []
