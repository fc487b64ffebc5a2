"""What a branch with its own storage has, and what of Main it does not have."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import add_project
from tests.unit.services.storage.loading import load, rows, storage, succeed, upload
from tests.unit.services.storage.storage_branches.making import Branched


@pytest.fixture
def services(new_project: ServicesOnly) -> ServicesOnly:
    return new_project


def test_the_same_ids_hold_other_rows(branched: Branched) -> None:
    table = branched.make_tables()

    assert branched.rows() == ([["1", "main"]], [["1", "branch"]])
    response = branched.branch.post(f"/tables/{table}/import", {"dataString": "id,name\n2,more\n", "incremental": 1})
    assert response.json["totalRowsCount"] == 2
    assert branched.rows() == ([["1", "main"]], [["1", "branch"], ["2", "more"]])


def test_a_branch_lists_its_own_buckets_and_tables_only(branched: Branched) -> None:
    branched.make_tables()
    branched.branch.post("/buckets", {"name": "tried"})
    branched.main.post("/buckets", {"name": "stable"})
    another = branched.at(branched.add_branch())

    def buckets(prefix: str) -> list[str]:
        return [bucket["id"] for bucket in branched.main.get(f"{prefix}/buckets").json]

    assert buckets(f"/branch/{branched.id}") == ["in.c-main", "in.c-tried"]
    assert buckets("") == buckets("/branch/default") == ["in.c-main", "in.c-stable"]
    assert another.get("/buckets").json == another.get("/tables").json == []
    assert branched.main.get("/buckets/in.c-tried").status == 404
    assert branched.branch.get("/buckets/in.c-stable").json["code"] == "storage.buckets.notFound"
    assert [table["id"] for table in branched.branch.get("/tables").json] == ["in.c-main.users"]


def test_a_table_that_the_branch_lacks_is_not_found_there(branched: Branched) -> None:
    branched.make_tables()
    branched.make_in_branch("tried")

    for path in ("", "/data-preview", "/metadata", "/snapshots", "/events"):
        assert branched.main.get(f"/tables/in.c-main.tried{path}").status == 404, path
        assert branched.at(branched.add_branch()).get(f"/tables/in.c-main.users{path}").status == 404, path


def test_sql_distinguishes_the_buckets_of_branches(branched: Branched) -> None:
    branched.make_tables()
    main, branch = (http.get("/buckets/in.c-main").json for http in (branched.main, branched.branch))
    project = branched.services.project.id

    assert (main["path"], main["backendPath"]) == ("in.c-main", [f"KBC_{project}", "in.c-main"])
    assert branch["backendPath"] == [f"KBC_{project}", f"{branched.id}_in.c-main"]
    assert branch["path"] == branch["backendPath"][1]
    assert (branch["idBranch"], branch["id"], branch["uri"]) == (branched.id, main["id"], main["uri"])
    shown = branched.branch.get("/tables/in.c-main.users").json["bucket"]
    assert shown["backendPath"] == branch["backendPath"]


def test_permissions_of_tokens_hold_in_a_branch(branched: Branched) -> None:
    branched.make_tables()
    branched.branch.post("/buckets", {"name": "tried"})
    made = branched.main.post("/tokens", {"description": "reader", "bucketPermissions": {"in.c-main": "read"}}).json
    reader = branched.at(branched.id, made["token"])

    assert rows(reader, "in.c-main.users") == [["1", "branch"]]
    assert [bucket["id"] for bucket in reader.get("/buckets").json] == ["in.c-main"]
    assert reader.get("/buckets/in.c-tried").status == 403
    assert reader.post("/tables/in.c-main.users/import", {"dataString": "id,name\n2,x\n"}).status == 403
    assert reader.delete("/tables/in.c-main.users").status == 403


def test_a_token_may_be_given_a_bucket_that_only_a_branch_has(branched: Branched) -> None:
    branched.branch.post("/buckets", {"name": "tried"})
    wanted = {"description": "x", "bucketPermissions": {"in.c-tried": "read"}}

    assert branched.main.post("/tokens", wanted).status == 400
    assert branched.branch.post("/tokens", wanted).status == 201


def test_a_permission_stays_as_long_as_main_has_the_bucket(branched: Branched) -> None:
    branched.make_tables()
    made = branched.main.post("/tokens", {"description": "reader", "bucketPermissions": {"in.c-main": "read"}}).json
    reader = storage(branched.services)
    reader.token = made["token"]

    assert branched.branch.delete("/buckets/in.c-main?force=1").status == 204
    assert rows(reader, "in.c-main.users") == [["1", "main"]]
    branched.make_in_branch()
    assert branched.main.delete("/buckets/in.c-main?force=1").status == 204
    assert branched.main.get(f"/tokens/{made['id']}").json["bucketPermissions"] == {}


def test_a_permission_stays_as_long_as_another_branch_has_the_bucket(services_on_each: ServicesOnly) -> None:
    branched = Branched(services_on_each)
    doors = [branched.branch, branched.at(branched.add_branch())]
    for http in doors:
        assert http.post("/buckets", {"name": "tried"}).status == 201
    made = doors[0].post("/tokens", {"description": "reader", "bucketPermissions": {"in.c-tried": "read"}}).json
    path = "/buckets/in.c-tried"

    assert doors[0].delete(path).status == 204
    assert Http(doors[1].base, made["token"]).get(path).status == 200
    assert doors[1].delete(path).status == 204
    assert branched.main.get(f"/tokens/{made['id']}").json["bucketPermissions"] == {}
    assert doors[1].post("/buckets", {"name": "tried"}).status == 201
    assert Http(doors[1].base, made["token"]).get(path).status == 403


def test_files_are_those_of_the_branch(branched: Branched) -> None:
    mine, theirs = upload(branched.main, "id\n1\n", tags=["x"]), upload(branched.branch, "id\n2\n", tags=["x"])

    assert [file["id"] for file in branched.main.get("/files?tags[]=x").json] == [mine]
    assert [file["id"] for file in branched.branch.get("/files?tags[]=x").json] == [theirs]
    assert branched.main.get(f"/files/{theirs}").status == branched.branch.get(f"/files/{mine}").status == 404
    assert branched.main.delete(f"/files/{theirs}").status == 404
    branched.branch.post("/buckets", {"name": "main"})
    path = "/buckets/in.c-main/tables-async"
    assert branched.branch.post(path, {"name": "t", "dataFileId": mine}).status == 404
    assert branched.run(branched.branch, path, {"name": "t", "dataFileId": theirs})["id"] == "in.c-main.t"


def test_an_export_is_a_file_of_the_branch(branched: Branched) -> None:
    table = branched.make_tables()
    file_id = branched.run(branched.branch, f"/tables/{table}/export-async", {})["file"]["id"]

    assert branched.branch.get(f"/files/{file_id}").status == 200
    assert branched.main.get(f"/files/{file_id}").status == 404


def test_snapshots_are_those_of_the_branch(branched: Branched) -> None:
    table = branched.make_tables()
    number = branched.run(branched.branch, f"/tables/{table}/snapshots", {"description": "tried"})["id"]

    assert branched.main.get(f"/tables/{table}/snapshots").json == []
    assert [each["id"] for each in branched.branch.get(f"/tables/{table}/snapshots").json] == [number]
    branched.run(branched.main, "/buckets/in.c-main/tables-async", {"name": "copy", "snapshotId": number})
    assert rows(branched.main, "in.c-main.copy") == [["1", "branch"]]
    assert branched.branch.get("/tables/in.c-main.copy").status == 404


def test_aliases_show_tables_of_their_branch(branched: Branched) -> None:
    table = branched.make_tables()
    for http in (branched.main, branched.branch):
        assert http.post("/buckets/in.c-main/table-aliases", {"sourceTable": table, "name": "a"}).status == 201
    branched.main.post("/buckets", {"name": "stable"})

    assert branched.rows("in.c-main.a") == ([["1", "main"]], [["1", "branch"]])
    wanted = {"sourceTable": "in.c-stable.none", "name": "b"}
    assert branched.branch.post("/buckets/in.c-main/table-aliases", wanted).status == 404
    branched.run(branched.branch, f"/tables/{table}?force=1&async=1", method="DELETE")
    assert branched.branch.get("/tables/in.c-main.a").status == 404
    assert rows(branched.main, "in.c-main.a") == [["1", "main"]]


def test_events_have_the_branch_in_which_they_happened(branched: Branched) -> None:
    table = branched.make_tables()
    succeed(branched.main, load(branched.main, table, "id,name\n1,again\n"))

    def events(path: str) -> tuple[set[int], set[str]]:
        found = branched.main.get(path).json
        return {event["idBranch"] for event in found}, {event["event"] for event in found}

    main = branched.main.get("/dev-branches/default").json["id"]
    assert events(f"/branch/{branched.id}/tables/{table}/events") == ({branched.id}, {"storage.tableCreated"})
    assert events(f"/tables/{table}/events") == ({main}, {"storage.tableCreated", "storage.tableImportDone"})


def test_metadata_is_kept_in_each_branch(branched: Branched) -> None:
    table = branched.make_tables()
    body = {"provider": "user", "metadata": [{"key": "a", "value": "1"}], "columnsMetadata": {}}
    assert branched.branch.post(f"/tables/{table}/metadata", body).status == 201

    assert len(branched.branch.get(f"/tables/{table}").json["metadata"]) == 1
    assert branched.main.get(f"/tables/{table}").json["metadata"] == []


def test_buckets_are_shared_and_linked_in_main_only(branched: Branched) -> None:
    branched.make_tables()
    other = storage(branched.services, add_project(branched.services))
    assert branched.main.post("/buckets/in.c-main/share-organization").status == 202
    source = {"sourceProjectId": branched.services.project.id, "sourceBucketId": "in.c-main"}
    assert other.post("/buckets", {"name": "link", **source}).status == 201
    refused = branched.branch.post("/buckets/in.c-main/share-organization")
    linked = branched.branch.post("/buckets", {"name": "link", **source})

    assert (refused.status, linked.status) == (400, 400)
    assert "default branch only" in refused.json["error"]
    assert branched.branch.get("/buckets/in.c-main?include=linkedBuckets").json["linkedBy"] == []
    assert branched.branch.get("/buckets/in.c-main").json["bucketSharingAllowed"] is False
    assert branched.branch.delete("/buckets/in.c-main?force=1").status == 204
    assert rows(other, "in.c-link.users") == [["1", "main"]]


def test_the_size_of_a_project_is_that_of_all_its_branches(branched: Branched) -> None:
    branched.make_tables()

    assert branched.main.get("/tokens/verify").json["owner"]["rowsCount"] == 2


def test_a_workspace_of_the_branch_reads_its_tables_by_the_backend_path_and_by_the_id_of_the_bucket(
    branched: Branched,
) -> None:
    """The MCP server writes the first, people the second."""
    branched.make_tables()
    workspace = branched.run(branched.branch, "/workspaces?async=1", {"backend": "snowflake"})["id"]
    database, schema = branched.branch.get("/buckets/in.c-main").json["backendPath"]
    foreign = f"{branched.add_branch()}_in.c-main"

    def read(name: str) -> dict[str, Any]:
        sql = f'SELECT "name" FROM "{database}"."{name}"."users"'
        return branched.branch.post(f"/workspaces/{workspace}/query", {"query": sql}).json

    assert schema == f"{branched.id}_in.c-main"
    for name in (schema, "in.c-main"):
        assert read(name)["data"]["rows"] == [{"name": "branch"}]
    assert read(foreign)["status"] == "error"
