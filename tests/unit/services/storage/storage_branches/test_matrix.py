"""Every route of buckets, tables, columns and files, in a branch and in Main, which have the same ids in them.

Whatever is done by one leaves all that can be read by the other as it was.
"""

from __future__ import annotations

from typing import Any

import pytest

from penstock.web.routing import Route
from tests.support.stacks import ServicesOnly, wait_for
from tests.unit.services.fill import first_project
from tests.unit.services.storage.storage_branches.making import turn
from tests.unit.services.world import ROWS, World, in_order, is_in_branch, make_world, name_of, shown

DATA = ("buckets", "tables", "columns", "files")
REFUSED = {
    "PUT /buckets/{bucket_id}/share": 400,
    "DELETE /buckets/{bucket_id}/share": 400,
    "POST /buckets/{bucket_id}/share-organization": 400,
    "POST /buckets/{bucket_id}/share-organization-project": 400,
    "POST /buckets/{bucket_id}/share-to-projects": 400,
    "DELETE /buckets/{bucket_id}/links/{project_id}": 400,
}
"""In a branch: other projects see what is in Main."""


@pytest.fixture
def world(services_on_each: ServicesOnly) -> World:
    turn(services_on_each, is_on=True)
    return make_world(services_on_each, "alder", first_project(services_on_each), word="main")


def rows_of(*, in_branch: bool) -> list[Route]:
    """Without those that no stack implements."""
    return [
        row
        for row in ROWS
        if row.status != 501
        and name_of(row).partition(" /")[2].partition("/")[0] in DATA
        and is_in_branch(row) is in_branch
    ]


def look(world: World, *, in_branch: bool) -> dict[str, Any]:
    seen = {row.path: shown(world.ask(row)) for row in rows_of(in_branch=in_branch) if row.method == "GET"}
    assert [path for path, (status, _) in seen.items() if status != 200] == []
    return seen


def change_everything(world: World, *, in_branch: bool) -> list[str]:
    """What did not go as it should."""
    failed: list[str] = []
    for row in in_order(rows_of(in_branch=in_branch)):
        response, name = world.ask(row), name_of(row)
        expected = REFUSED.get(name) if in_branch else 404 if "/links/" in name else None
        if response.status != expected and (expected or response.status >= 400):
            failed.append(f"{row.method} {row.path}: {response.status} {response.text}")
    wait_for(lambda: all(job["endTime"] for job in world.storage.get("/v2/storage/jobs?limit=1000").json))
    jobs = world.storage.get("/v2/storage/jobs?limit=1000").json
    return failed + [str(job) for job in jobs if job["status"] == "error"]


@pytest.mark.parametrize(
    ("services_on_each", "in_branch"),
    [("sqlite", True), ("sqlite", False), ("postgresql", True)],
    indirect=["services_on_each"],
    ids=["in a branch", "in Main", "in a branch on PostgreSQL"],
)
def test_what_one_branch_does_leaves_the_other_as_it_was(world: World, in_branch: bool) -> None:
    ids = ("bucket_id", "table_id", "keyless_id", "alias_id", "column_id")
    assert [world.main[name] for name in ids] == [world.in_branch[name] for name in ids]
    before = look(world, in_branch=not in_branch)

    failed = change_everything(world, in_branch=in_branch)

    assert failed == []
    after = look(world, in_branch=not in_branch)
    assert [path for path in before if before[path] != after[path]] == []
    gone = f"/v2/storage/{'branch/' + world.in_branch['branch'] + '/' if in_branch else ''}buckets"
    assert world.main["bucket_id"] not in [bucket["id"] for bucket in world.storage.get(gone).json]
