"""A branch that is deleted takes its own storage along, and nothing of Main's."""

from __future__ import annotations

import msgspec
import pytest

from penstock.services.storage.errors.branches import BranchNotFound
from penstock.services.storage.interface import TableLoad
from penstock.services.storage.operations.tables.component_loads import load_table
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
