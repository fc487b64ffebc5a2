"""Branches: created as a copy of Main's configurations, changed without affecting it, and deleted with everything in
them."""

from __future__ import annotations

import itertools
from typing import Any

import msgspec
import pytest

from penstock.foundation.jobs.claims import LeaseLost
from penstock.services.storage.errors.branches import BranchExists
from penstock.services.storage.models.branches import NewBranch
from penstock.services.storage.operations import branch_jobs, branches
from penstock.services.storage.store import jobs
from tests.support.http import Http
from tests.support.stacks import ServicesOnly, wait_for
from tests.unit.services.fill import add_project, first_project, load_table

BRANCHES = "/v2/storage/dev-branches"
CONFIGS = "components/ex-generic-v2/configs"
MAIN = f"/v2/storage/{CONFIGS}"

_numbers = itertools.count(1)


def finished(storage: Http, job: dict[str, Any]) -> dict[str, Any]:
    return wait_for(lambda: (now := storage.get(f"/v2/storage/jobs/{job['id']}").json)["endTime"] and now)


def make(services: ServicesOnly, name: str = "", description: str = "") -> dict[str, Any]:
    storage = services.service("storage")
    wanted = {"name": name or f"Branch {next(_numbers)}", "description": description}
    response = storage.post(BRANCHES, wanted)
    assert (response.status, response.json["operationName"]) == (202, "devBranchCreate"), response.text
    job = finished(storage, response.json)
    assert job["status"] == "success", job
    return job["results"]


def drop(services: ServicesOnly, branch_id: int) -> dict[str, Any]:
    storage = services.service("storage")
    response = storage.delete(f"{BRANCHES}/{branch_id}")
    assert (response.status, response.json["operationName"]) == (202, "devBranchDelete"), response.text
    return finished(storage, response.json)


def within(branch: dict[str, Any], config_id: str = "") -> str:
    return f"/v2/storage/branch/{branch['id']}/{CONFIGS}/{config_id}".rstrip("/")


def test_a_project_begins_with_main(services: ServicesOnly) -> None:
    storage = services.service("storage")
    [main] = storage.get(BRANCHES).json

    assert (main["name"], main["isDefault"], main["description"], main["creatorToken"]) == ("Main", True, "", [])
    assert storage.get(f"{BRANCHES}/default").json == storage.get(f"{BRANCHES}/{main['id']}").json == main
    assert storage.get(f"{BRANCHES}/").json == [main]


def test_what_the_job_made_is_what_is_there(services: ServicesOnly) -> None:
    storage = services.service("storage")
    first, second = make(services, "Foo", "for tests"), make(services, "Bar")

    assert storage.get(f"{BRANCHES}/{first['id']}").json == first
    assert (first["name"], first["description"], first["isDefault"]) == ("Foo", "for tests", False)
    assert first["creatorToken"]["name"].startswith("admin@")
    assert [branch["name"] for branch in storage.get(BRANCHES).json] == ["Foo", "Bar", "Main"]
    assert second["id"] > first["id"]


@pytest.mark.parametrize("name", ["Foo", "Main"])
def test_a_name_is_used_once(services: ServicesOnly, name: str) -> None:
    make(services, "Foo")
    response = services.service("storage").post(BRANCHES, {"name": name})

    assert (response.status, response.json["code"]) == (400, "devBranch.duplicateName")
    assert response.json["error"] == f'There already is a branch with name "{name}"'


@pytest.mark.usefixtures("answers_at_once")
def test_a_name_is_taken_as_soon_as_its_branch_is_on_its_way(services: ServicesOnly) -> None:
    storage, known = services.service("storage"), make(services, "Old")
    services.stop_worker()
    assert storage.post(BRANCHES, {"name": "Foo"}).status == 202

    for response in (
        storage.post(BRANCHES, {"name": "Foo"}),
        storage.put(f"{BRANCHES}/{known['id']}", {"name": "Foo"}),
    ):
        assert (response.status, response.json["code"]) == (400, "devBranch.duplicateName")
    other = services.service("storage", add_project(services).token)
    assert other.post(BRANCHES, {"name": "Foo"}).status == 202


@pytest.mark.parametrize("wish", [{}, {"name": ""}, {"name": " "}, {"name": "x" * 256}, {"name": 5}, {"name": ["x"]}])
def test_a_branch_needs_a_name(shared: ServicesOnly, wish: dict[str, Any]) -> None:
    response = shared.service("storage").post(BRANCHES, wish)

    assert response.status == 400
    assert " - name: " in response.json["error"]


def test_a_branch_is_renamed_and_described(services: ServicesOnly) -> None:
    storage, branch = services.service("storage"), make(services, "Old")
    make(services, "Taken")
    path = f"{BRANCHES}/{branch['id']}"

    assert storage.put(path, {"name": "New"}).json == {**branch, "name": "New"}
    assert storage.put(path, {"description": "d"}).json == {**branch, "name": "New", "description": "d"}
    assert storage.put(path, {"name": "New"}).status == 200
    assert storage.put(path, {"name": "Taken"}).json["code"] == "devBranch.duplicateName"
    assert storage.put(path, {"name": ""}).status == 400
    assert make(services, "Old")["name"] == "Old"


def test_main_keeps_its_name_and_stays(services: ServicesOnly) -> None:
    storage = services.service("storage")
    renamed, deleted = storage.put(f"{BRANCHES}/default", {"name": "x"}), storage.delete(f"{BRANCHES}/default")

    assert (renamed.status, renamed.json["error"]) == (400, "You can not update default branch name.")
    assert (deleted.status, deleted.json["error"]) == (400, "Cannot delete Main branch")
    assert storage.put(f"{BRANCHES}/default", {"name": "Main", "description": "d"}).json["description"] == "d"


@pytest.mark.parametrize("branch", ["123456", "foo", "0", "-1", "9" * 30, "Default"])
def test_an_unknown_branch_is_not_found_by_any_route(shared: ServicesOnly, branch: str) -> None:
    storage = shared.service("storage")
    responses = [
        storage.get(f"{BRANCHES}/{branch}"),
        storage.put(f"{BRANCHES}/{branch}", {"name": "x"}),
        storage.delete(f"{BRANCHES}/{branch}"),
        storage.get(f"/v2/storage/branch/{branch}/metadata"),
        storage.post(f"/v2/storage/branch/{branch}/metadata", {"metadata": []}),
        storage.get(f"/v2/storage/branch/{branch}/{CONFIGS}"),
        storage.get(f"/v2/storage/branch/{branch}/buckets"),
    ]

    assert {response.status for response in responses} == {404}
    assert {response.json["error"] for response in responses} == {f'Branch id:"{branch}" was not found.'}


def test_a_branch_of_another_project_is_not_there(services: ServicesOnly) -> None:
    branch, foreign = make(services), services.service("storage", add_project(services).token)

    assert foreign.get(f"{BRANCHES}/{branch['id']}").status == 404
    assert foreign.delete(f"{BRANCHES}/{branch['id']}").status == 404
    assert foreign.get(within(branch)).status == 404
    assert [each["name"] for each in foreign.get(BRANCHES).json] == ["Main"]


def test_who_may_not_manage_buckets_reads_branches_only(services: ServicesOnly) -> None:
    branch, wish = make(services), {"description": "limited", "componentAccess": ["ex-generic-v2"]}
    limited = services.service("storage", services.service("storage").post("/v2/storage/tokens", wish).json["token"])

    assert len(limited.get(BRANCHES).json) == 2
    assert limited.post(BRANCHES, {"name": "x"}).status == 403
    assert limited.put(f"{BRANCHES}/{branch['id']}", {"name": "x"}).status == 403
    assert limited.delete(f"{BRANCHES}/{branch['id']}").status == 403
    assert limited.post(f"/v2/storage/branch/{branch['id']}/metadata", {"metadata": []}).status == 403


def fill_main(services: ServicesOnly) -> None:
    storage = services.service("storage")
    document = {"configuration": {"a": 1, "#s": "secret"}, "state": {"s": 1}}
    storage.post(MAIN, {"name": "Mine", "configurationId": "mine", **document})
    storage.post(f"{MAIN}/mine/rows", {"rowId": "r", "name": "Row", "configuration": {"b": 1}, "state": {"t": 1}})
    storage.post(f"{MAIN}/mine/metadata", {"metadata": [{"key": "k", "value": "1"}, {"key": "a", "value": "2"}]})
    storage.post(MAIN, {"name": "Trashed", "configurationId": "trashed"})
    storage.delete(f"{MAIN}/trashed")


def test_a_branch_begins_with_what_main_has(services: ServicesOnly) -> None:
    fill_main(services)
    storage, main = services.service("storage"), services.service("storage").get(f"{MAIN}/mine").json
    branch = make(services)
    copy = storage.get(within(branch, "mine")).json

    assert {each["id"] for each in storage.get(within(branch)).json} == {"sample-customers", "sample-orders", "mine"}
    assert (copy["version"], copy["configuration"], copy["state"]) == (1, main["configuration"], main["state"])
    assert copy["changeDescription"] == 'Copied from default branch configuration "Mine" (mine) version 2'
    assert copy["currentVersion"]["versionIdentifier"] == main["currentVersion"]["versionIdentifier"]
    [row] = copy["rows"]
    assert (row["version"], row["configuration"], row["state"]) == (1, {"b": 1}, {"t": 1})
    assert row["changeDescription"] == 'Copied from default branch configuration row "Row" (r) version 1'
    assert [each["version"] for each in storage.get(f"{within(branch, 'mine')}/versions").json] == [1]
    assert storage.get(f"{within(branch, 'mine')}/versions/1").json["rows"][0]["configuration"] == {"b": 1}
    assert storage.get(f"{within(branch, 'mine')}/rows/r/versions/1").json["name"] == "Row"
    items = storage.get(f"{within(branch, 'mine')}/metadata").json
    assert [(item["key"], item["value"]) for item in items] == [("k", "1"), ("a", "2")]
    assert storage.get(f"{within(branch)}?isDeleted=1").json == []


def test_changes_in_a_branch_and_in_main_do_not_meet(services: ServicesOnly) -> None:
    fill_main(services)
    storage, branch = services.service("storage"), make(services)
    before = storage.get(f"{MAIN}/mine").json

    assert storage.put(within(branch, "mine"), {"name": "Theirs"}).json["version"] == 2
    storage.post(f"{within(branch, 'mine')}/rows", {"rowId": "new"})
    storage.delete(f"{within(branch, 'mine')}/rows/r")
    storage.post(f"{within(branch, 'mine')}/metadata", {"metadata": [{"key": "k", "value": "changed"}]})
    storage.post(within(branch), {"name": "Only here", "configurationId": "only"})
    storage.post(MAIN, {"name": "Later", "configurationId": "later"})

    assert storage.get(f"{MAIN}/mine").json == before
    assert [item["value"] for item in storage.get(f"{MAIN}/mine/metadata").json] == ["1", "2"]
    assert storage.get(f"{MAIN}/only").status == 404
    assert storage.get(within(branch, "later")).status == 404
    assert [row["id"] for row in storage.get(f"{within(branch, 'mine')}/rows").json] == ["new"]
    [component] = storage.get(f"/v2/storage/branch/{branch['id']}/components").json
    assert "only" in {config["id"] for config in component["configurations"]}


def test_a_configuration_deleted_in_a_branch_stays_in_its_trash(services: ServicesOnly) -> None:
    fill_main(services)
    storage, branch = services.service("storage"), make(services)

    assert storage.delete(within(branch, "mine")).status == 204
    again = storage.delete(within(branch, "mine"))
    assert (again.status, again.json["code"]) == (400, "storage.components.cannotDeleteConfiguration")
    assert storage.get(f"{MAIN}/mine").status == 200
    assert storage.post(f"{within(branch, 'mine')}/restore").json["version"] == 3


def test_a_configuration_of_a_branch_is_reset_to_what_main_has(services: ServicesOnly) -> None:
    fill_main(services)
    storage, branch = services.service("storage"), make(services)
    reset = f"{within(branch, 'mine')}/reset-to-default"
    storage.put(within(branch, "mine"), {"name": "Theirs"})
    storage.put(f"{MAIN}/mine", {"name": "Main's"})

    assert storage.post(reset).status == 204
    now = storage.get(within(branch, "mine")).json
    assert (now["name"], now["version"], len(now["rows"])) == ("Main's", 1, 1)
    assert now["changeDescription"] == 'Copied from default branch configuration "Main\'s" (mine) version 3'
    assert storage.get(f"{within(branch, 'mine')}/versions/2").status == 404
    assert len(storage.get(f"{within(branch, 'mine')}/metadata").json) == 2

    storage.delete(f"{MAIN}/mine")
    assert storage.post(reset).status == storage.post(reset).status == 204
    assert storage.get(within(branch, "mine")).status == 404
    storage.post(f"{MAIN}/mine/restore")
    assert storage.post(reset).status == 204
    assert storage.get(within(branch, "mine")).status == 200
    assert storage.post(f"{within(branch, 'absent')}/reset-to-default").status == 404
    assert storage.post(f"{MAIN}/mine/reset-to-default").status == 400


def test_main_may_be_named_in_three_ways(services: ServicesOnly) -> None:
    storage = services.service("storage")
    main = storage.get(f"{BRANCHES}/default").json["id"]

    responses = [
        storage.get(f"/v2/storage/{prefix}{CONFIGS}").json for prefix in ("", "branch/default/", f"branch/{main}/")
    ]
    assert responses[0] == responses[1] == responses[2]


def test_buckets_and_tables_are_mains_in_every_branch(services: ServicesOnly) -> None:
    load_table(services, "in.c-shop.orders", "id\n1\n")
    branch = make(services)
    storage = services.service("storage")

    ids = [table["id"] for table in storage.get(f"/v2/storage/branch/{branch['id']}/tables").json]
    assert ids == ["in.c-shop.orders"]


def test_metadata_of_branches_is_theirs(services: ServicesOnly) -> None:
    storage, branch = services.service("storage"), make(services)
    path, main = f"/v2/storage/branch/{branch['id']}/metadata", "/v2/storage/branch/default/metadata"
    response = storage.post(path, {"metadata": [{"key": "a", "value": "1"}, {"key": "b", "value": 2}]})
    storage.post(main, {"metadata": [{"key": "KBC.projectDescription", "value": "x"}]})

    assert response.status == 201
    assert [(item["key"], item["value"]) for item in response.json] == [("a", "1"), ("b", "2")]
    assert storage.get(path).json == response.json
    assert [item["key"] for item in storage.get(main).json] == ["KBC.projectDescription"]
    assert storage.delete(f"{main}/{response.json[0]['id']}").json["code"] == "storage.metadata.notFound"
    assert storage.delete(f"{path}/{response.json[0]['id']}").status == 204
    assert [item["key"] for item in storage.get(path).json] == ["b"]
    assert storage.post(path, {"metadata": [{"key": "no spaces", "value": ""}]}).status == 400
    assert storage.get("/v2/storage/metadata").status == 404


def test_a_deleted_branch_takes_everything_along(services: ServicesOnly) -> None:
    fill_main(services)
    storage, branch = services.service("storage"), make(services, "Gone")
    load_table(services, f"out.c-{branch['id']}-shop.orders", "id\n1\n")
    load_table(services, f"out.c-{branch['id']}5-shop.orders", "id\n1\n")
    storage.post(f"/v2/storage/branch/{branch['id']}/metadata", {"metadata": [{"key": "a", "value": "1"}]})
    wanted = {"name": "x.csv", "federationToken": 1, "isPermanent": True}
    file = storage.post(f"/v2/storage/branch/{branch['id']}/files/prepare", wanted)
    kept = storage.post("/v2/storage/files/prepare", wanted)

    assert drop(services, branch["id"])["status"] == "success"
    assert storage.get(within(branch)).status == storage.get(f"{BRANCHES}/{branch['id']}").status == 404
    assert storage.delete(f"{BRANCHES}/{branch['id']}").status == 404
    wait_for(lambda: len(storage.get("/v2/storage/buckets").json) == 1)
    assert [bucket["id"] for bucket in storage.get("/v2/storage/buckets").json] == [f"out.c-{branch['id']}5-shop"]
    assert storage.get(f"{MAIN}/mine").status == 200
    assert storage.get(f"/v2/storage/files/{file.json['id']}").status == 404
    assert storage.get(f"/v2/storage/files/{kept.json['id']}").status == 200
    assert left_in(services, branch["id"]) == 0
    assert make(services, "Gone")["id"] != branch["id"]


def left_in(services: ServicesOnly, branch_id: int) -> int:
    """Rows of any table that still say they are of the branch; its jobs may."""
    with services.stack.database.reading() as tx:
        query = "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%branch_id%'"
        names = tx.connection.exec_driver_sql(query).scalars()
        tables = [name for name in names if name.startswith("storage_") and "_by_" not in name]
        counts = [
            tx.connection.exec_driver_sql(f'SELECT count(*) FROM "{name}" WHERE branch_id = {branch_id}').scalar() or 0
            for name in tables
            if name not in ("storage_jobs", "storage_events")
        ]
    assert len(counts) > 5
    return sum(counts)


def test_a_job_that_is_done_twice_is_done_once(services: ServicesOnly) -> None:
    fill_main(services)
    storage = services.service("storage")
    response = storage.post(BRANCHES, {"name": "Twice"}).json
    branch = finished(storage, response)["results"]
    storage.put(within(branch, "mine"), {"name": "Changed since"})
    again(services, branch_jobs.create_branch, response["id"])

    assert [each["name"] for each in storage.get(BRANCHES).json] == ["Twice", "Main"]
    assert storage.get(within(branch, "mine")).json["name"] == "Changed since"
    gone = storage.delete(f"{BRANCHES}/{branch['id']}").json
    finished(storage, gone)
    again(services, branch_jobs.delete_branch, gone["id"])


def again(services: ServicesOnly, work: Any, job_id: int) -> None:
    """As a worker does that took over from one that died before it could record what it had done."""
    work(services.stack, first_project(services).caller, claimed(services, job_id))


def claimed(services: ServicesOnly, job_id: int) -> jobs.JobRow:
    """The job in the hands of a worker that is not the stack's."""
    with services.stack.database.writing() as tx:
        taken = "SET status = 'processing', is_finished = 0, worker = 'test', lease_until = '2100-01-01 00:00:00'"
        tx.connection.exec_driver_sql(f"UPDATE storage_jobs {taken} WHERE id = {job_id}")
        job = jobs.find_job(tx, services.project.id, job_id)
    assert job
    return job


def test_a_worker_that_comes_back_does_not_bring_back_a_deleted_branch(services: ServicesOnly) -> None:
    storage = services.service("storage")
    response = storage.post(BRANCHES, {"name": "Gone"}).json
    branch = finished(storage, response)["results"]
    with services.stack.database.reading() as tx:
        stale = jobs.find_job(tx, services.project.id, response["id"])
    assert stale
    finished(storage, storage.delete(f"{BRANCHES}/{branch['id']}").json)

    with pytest.raises(LeaseLost):
        branch_jobs.create_branch(services.stack, first_project(services).caller, stale)
    assert [each["name"] for each in storage.get(BRANCHES).json] == ["Main"]


def test_a_job_that_died_halfway_goes_on_where_it_was(services: ServicesOnly, monkeypatch: pytest.MonkeyPatch) -> None:
    fill_main(services)
    monkeypatch.setattr(branch_jobs, "PORTION", 1)
    storage, caller = services.service("storage"), first_project(services).caller
    job = planned(services, "Halfway")
    assert branch_jobs._copy_portion(services.stack, branch_jobs._copying(caller, job.params["branchId"]))
    branch = msgspec.to_builtins(branch_jobs.create_branch(services.stack, caller, job))

    assert storage.get(f"{BRANCHES}/{branch['id']}").json == branch
    assert len(storage.get(within(branch)).json) == 3
    assert [row["id"] for row in storage.get(f"{within(branch, 'mine')}/rows").json] == ["r"]


def test_a_name_taken_while_the_job_waited_fails_the_job_and_leaves_nothing(services: ServicesOnly) -> None:
    make(services, "Raced")
    services.stop_worker()
    with services.stack.database.writing() as tx:
        tx.connection.exec_driver_sql("UPDATE storage_branches SET name = 'Later' WHERE name = 'Raced'")
    job = planned(services, "Raced")
    with services.stack.database.writing() as tx:
        tx.connection.exec_driver_sql("UPDATE storage_branches SET name = 'Raced' WHERE name = 'Later'")

    with pytest.raises(BranchExists):
        branch_jobs.create_branch(services.stack, first_project(services).caller, job)
    assert left_in(services, job.params["branchId"]) == 0


def planned(services: ServicesOnly, name: str) -> jobs.JobRow:
    """A job that no worker of the stack has been given."""
    services.stop_worker()
    with services.stack.database.writing() as tx:
        job = branches.start_creating(tx, first_project(services).caller, NewBranch(name=name))
    return claimed(services, job.id)
