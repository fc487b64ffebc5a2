"""Sessions of the editor through HTTP."""

from __future__ import annotations

from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import add_project
from tests.unit.services.query.workspaces import SqlWorkspace, finish, read_results


def test_a_session_is_created_used_and_deleted_with_its_workspace(services_on_each: ServicesOnly) -> None:
    editor, sql = services_on_each.service("editor"), SqlWorkspace(services_on_each)
    made = editor.post("/sql/sessions", {"branchId": str(sql.branch_id)})
    path = f"/sql/sessions/{made.json['id']}"

    assert (made.status, made.json["status"]) == (201, "initializing")
    assert made.json["workspaceLoadJobs"] == []
    session = editor.get(path).json
    assert session["status"] == "ready"
    assert [each["id"] for each in editor.get("/sql/sessions").json] == [session["id"]]
    started = editor.post(f"{path}/run-query", {"queries": ['CREATE TABLE "t" AS SELECT 1 AS "n"']})
    assert started.status == 200, started.text
    assert finish(sql.query, started.json["queryJobId"])["status"] == "completed"
    preview = editor.post(f"{path}/table-preview", {"tableName": "t"}).json
    assert read_results(sql.query, finish(sql.query, preview["queryJobId"])).json["data"] == [["1"]]
    schema = editor.get(f"{path}/schema?onlyWorkspaceSchema=1").json["databases"][0]["schemas"]
    assert [table["name"] for table in schema[0]["tables"]] == ["t"]
    assert '"n"' in editor.get(f"{path}/table-ddl?tableName=t").json["ddl"]
    assert "BEGIN PRIVATE KEY" in editor.post(f"{path}/reset-credentials").json["privateKey"]
    assert editor.get(f"{path}/credentials").status == 400

    assert editor.delete(path).status == 204
    assert editor.get(path).status == 404
    assert sql.storage.get(f"/v2/storage/branch/{sql.branch_id}/workspaces/{session['workspaceId']}").status == 404


def test_another_project_does_not_see_a_session(services: ServicesOnly) -> None:
    editor, sql = services.service("editor"), SqlWorkspace(services)
    session = editor.post("/sql/sessions", {"branchId": str(sql.branch_id)}).json
    other = services.service("editor", add_project(services).token)

    assert other.get(f"/sql/sessions/{session['id']}").status == 404
    assert other.get("/sql/sessions?listAll=1").json == []


def test_a_body_that_makes_no_sense_is_refused(services: ServicesOnly) -> None:
    editor = services.service("editor")
    for body in ({}, {"branchId": "999999"}, {"branchId": "1", "componentId": "keboola.sandboxes"}):
        response = editor.post("/sql/sessions", body)
        assert response.status in (400, 404)
        assert response.json["message"] == response.json["error"]


def test_output_tables_are_found_in_a_script(services: ServicesOnly) -> None:
    queries = [
        "-- create table no\nCREATE OR REPLACE TABLE out AS SELECT 'create table x'",
        'create view "a"."B" as select 1',
    ]
    response = services.service("editor").post("/sql/get-output-tables", {"queries": queries})

    assert response.json == {"tables": ["OUT", "B"]}
