"""Deleting a branch deletes its separate storage, and nothing of Main's."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from penstock.contracts.files import OutputFile
from penstock.contracts.tables import TableLoad
from penstock.foundation.callers import Caller
from penstock.foundation.stacks import STORAGE
from penstock.services.storage.errors.branches import BranchNotFound
from penstock.services.storage.interface import reserve_files, store_file
from penstock.services.storage.models.files import NewFile
from penstock.services.storage.operations.files.files import prepare_file
from penstock.services.storage.operations.tables.component_loads import load_table
from penstock.services.storage.operations.tables.snapshots import plan_snapshot
from penstock.services.storage.store import branches
from tests.support.stacks import ServicesOnly, wait_for
from tests.unit.services.fill import first_project
from tests.unit.services.storage.loading import rows, upload
from tests.unit.services.storage.storage_branches.making import Branched, turn


def count(services: ServicesOnly, branch_id: int) -> dict[str, int]:
    """What is known of a branch."""
    with services.stack.database.reading() as tx:
        return {
            kind: tx.connection.exec_driver_sql(
                f"SELECT count(*) FROM storage_{kind} WHERE branch_id = {branch_id}"
            ).scalar_one()
            for kind in ("buckets", "tables", "metadata", "files", "snapshots")
        }


def is_over(branched: Branched) -> bool:
    return all(job["endTime"] for job in branched.main.get("/jobs?limit=1000").json)


@pytest.mark.parametrize("is_on", [True, False], ids=["with the feature", "after it was turned off"])
def test_a_deleted_branch_takes_its_storage_along(services_on_each: ServicesOnly, is_on: bool) -> None:
    branched = Branched(services_on_each)
    table = branched.make_tables()
    body = {"provider": "user", "metadata": [{"key": "a", "value": "1"}]}
    for http in (branched.main, branched.branch):
        http.post("/buckets/in.c-main/metadata", body)
        branched.run(http, f"/tables/{table}/snapshots", {"description": "x"})
    file = upload(branched.branch, "x")
    assert min(count(services_on_each, branched.id).values()) > 0
    numbers = _numbers(services_on_each)
    turn(services_on_each, is_on=is_on)
    branched.run(branched.main, f"/dev-branches/{branched.id}", method="DELETE")
    wait_for(lambda: is_over(branched))

    assert count(services_on_each, branched.id) == dict.fromkeys(
        ("buckets", "tables", "metadata", "files", "snapshots"), 0
    )
    assert len(_numbers(services_on_each)) == len(numbers) - 1
    turn(services_on_each, is_on=True)
    assert branched.branch.get("/buckets").status == 404
    assert branched.main.get(f"/files/{file}").status == 404
    assert rows(branched.main, table) == [["1", "main"]]
    assert len(branched.main.get("/buckets/in.c-main/metadata").json) == 1
    assert len(branched.main.get(f"/tables/{table}/snapshots").json) == 1
    told = branched.main.get("/events?q=event:storage.devBranchDeleted").json
    assert [event["objectId"] for event in told] == [str(branched.id)]


def _numbers(services: ServicesOnly) -> list[int]:
    with services.stack.database.reading() as tx:
        return list(tx.connection.exec_driver_sql("SELECT number FROM storage_buckets").scalars())


def test_nothing_is_made_in_a_branch_that_is_gone(branched: Branched) -> None:
    """By a run that is still going on."""
    caller = msgspec.structs.replace(first_project(branched.services).caller, branch_id=branched.id)
    branched.run(branched.main, f"/dev-branches/{branched.id}", method="DELETE")
    file = branched.services.stack.folder / "late.csv"
    file.write_text("id\n1\n")

    with pytest.raises(BranchNotFound):
        load_table(branched.services.stack, caller, TableLoad(id="late", table_id="in.c-late.t", file=file))
    assert _numbers(branched.services) == []
    _check_no_file_is_made(branched, caller, file)


def _check_no_file_is_made(branched: Branched, caller: Caller, path: Path) -> None:
    stack = branched.services.stack
    for is_permanent in (True, False):
        number = reserve_files(stack, caller, 1)[0]
        file = OutputFile(name="late.csv", path=path, is_permanent=is_permanent)
        with pytest.raises(BranchNotFound):
            store_file(stack, caller, number, file, "http://storage.test")
        wanted = NewFile(name="late.csv", federation_token=True, is_permanent=is_permanent)
        with pytest.raises(BranchNotFound), stack.database.writing() as tx:
            prepare_file(tx, caller, wanted)
    assert count(branched.services, branched.id)["files"] == 0


def test_a_snapshot_whose_branch_goes_while_it_is_taken_leaves_nothing(services_on_each: ServicesOnly) -> None:
    """The table is still there then: buckets of a deleted branch go in jobs of their own."""
    branched = Branched(services_on_each)
    table, stack = branched.make_tables(), services_on_each.stack
    within = msgspec.structs.replace(first_project(services_on_each).caller, branch_id=branched.id)
    with stack.database.writing() as tx:
        planned = plan_snapshot(tx, within, table, "late")
        branches.remove_branch(tx, within.project_id, branched.id)
    stack.notify_workers(STORAGE)
    job = wait_for(lambda: (seen := branched.main.get(f"/jobs/{planned.id}").json)["endTime"] and seen)

    assert (job["status"], job["error"]["message"]) == ("error", str(BranchNotFound(str(branched.id))))
    assert count(services_on_each, branched.id)["snapshots"] == 0
    assert stack.lake.catalogs(planned.params["_snapshotId"]) == []
