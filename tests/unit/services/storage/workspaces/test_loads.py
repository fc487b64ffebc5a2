"""Rows into workspaces and out of them, through HTTP, with a real engine."""

from __future__ import annotations

import gzip
from typing import Any

import pytest

from penstock.services.storage.operations.tables.import_sources import read_types
from penstock.sql import ResultColumn
from tests.support.files import to_read
from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.fill import add_project, load_table
from tests.unit.services.storage.loading import fail, rows, storage, succeed
from tests.unit.services.storage.workspaces.test_workspaces import COMPONENT, make

PEOPLE = "in.c-main.people"
CSV = "id,name,age\n1,Ada,36\n2,Grace,\n3,Alan,41\n"


@pytest.fixture(scope="module", autouse=True)
def people(shared: ServicesOnly) -> None:
    load_table(shared, PEOPLE, CSV)


@pytest.fixture(scope="module")
def workspace(shared: ServicesOnly) -> str:
    """One for all tests that empty it first."""
    return f"/workspaces/{make(storage(shared))['id']}"


def load(http: Http, path: str, *inputs: dict[str, Any], **fields: Any) -> Any:
    return succeed(http, http.post(f"{path}/load", {"input": list(inputs), **fields}))


def select(http: Http, path: str, sql: str) -> list[dict[str, Any]]:
    response = http.post(f"{path}/query", {"query": sql})
    assert response.status == 200, response.text
    assert response.json["status"] == "ok", response.text
    return response.json["data"]["rows"]


def names(http: Http, path: str) -> list[str]:
    return [each["name"] for each in http.get(f"{path}/objects").json]


def test_a_table_goes_in_is_queried_and_comes_out(services_on_each: ServicesOnly) -> None:
    http = storage(services_on_each)
    load_table(services_on_each, PEOPLE, CSV)
    path = f"/workspaces/{make(http)['id']}"

    load(http, path, {"source": PEOPLE, "destination": "people"})
    created = http.post(f"{path}/query", {"query": 'create table "old" as select * from "people" where "age" > \'40\''})
    assert created.json["status"] == "ok", created.text
    body = {"name": "old", "dataWorkspaceId": path.split("/")[2], "dataTableName": "old", "primaryKey": "id"}
    table = succeed(http, http.post("/buckets/in.c-main/tables-async", body))

    assert (table["id"], table["primaryKey"], table["isTyped"]) == ("in.c-main.old", ["id"], False)
    assert rows(http, "in.c-main.old") == [["3", "Alan", "41"]]
    again = {"dataWorkspaceId": path.split("/")[2], "dataObject": "people", "incremental": True}
    succeed(http, http.post("/tables/in.c-main.old/import-async", again))
    assert rows(http, "in.c-main.old") == [["1", "Ada", "36"], ["2", "Grace", ""], ["3", "Alan", "41"]]
    events = [each["event"] for each in http.get("/events").json]
    assert "storage.workspaceLoaded" in events
    assert http.delete(path).status == 204
    assert not (services_on_each.stack.folder / "workspaces" / path.split("/")[2]).exists()


def test_without_preserve_the_workspace_is_emptied_first(shared: ServicesOnly, workspace: str) -> None:
    http = storage(shared)
    load(http, workspace, {"source": PEOPLE, "destination": "one"})
    load(http, workspace, {"source": PEOPLE, "destination": "two"}, preserve=True)

    assert names(http, workspace) == ["one", "two"]
    load(http, workspace, {"source": PEOPLE, "destination": "three"})
    assert names(http, workspace) == ["three"]


def test_a_table_that_is_there_is_replaced_or_added_to_only_if_asked(shared: ServicesOnly, workspace: str) -> None:
    http = storage(shared)
    one = {"source": PEOPLE, "destination": "one"}
    count = 'select count(*) as "n" from "one"'
    load(http, workspace, one)

    code, message = fail(http, http.post(f"{workspace}/load", {"input": [one], "preserve": True}))
    assert code == "workspace.duplicateTable"
    assert "overwrite" in message
    load(http, workspace, {**one, "incremental": True}, preserve=1)
    assert select(http, workspace, count) == [{"n": "6"}]
    load(http, workspace, {**one, "overwrite": True}, preserve="true")
    assert select(http, workspace, count) == [{"n": "3"}]


def test_rows_and_columns_are_chosen_named_and_typed(shared: ServicesOnly, workspace: str) -> None:
    http = storage(shared)
    columns = [
        {"source": "name", "destination": "who"},
        {"source": "age", "type": "NUMBER", "length": "10,2", "convertEmptyValuesToNull": True},
    ]
    load(http, workspace, {"source": PEOPLE, "destination": "t", "columns": columns})
    assert select(http, workspace, 'select * from "t" order by "who"') == [
        {"who": "Ada", "age": "36.00"},
        {"who": "Alan", "age": "41.00"},
        {"who": "Grace", "age": None},
    ]
    filters = [{"column": "name", "operator": "ne", "values": ["Ada"]}]
    load(http, workspace, {"source": PEOPLE, "destination": "t", "columns": ["id"], "whereFilters": filters, "rows": 1})
    assert len(select(http, workspace, 'select "id" from "t" where "id" <> \'1\'')) == 1
    load(http, workspace, {"source": PEOPLE, "destination": "t", "whereColumn": "id", "whereValues": ["2"]})
    assert [row["name"] for row in select(http, workspace, 'select * from "t"')] == ["Grace"]
    load(http, workspace, {"source": PEOPLE, "destination": "t", "days": 1})
    assert len(select(http, workspace, 'select * from "t"')) == 3


def test_a_clone_has_the_time_of_each_row_and_can_be_changed(shared: ServicesOnly, workspace: str) -> None:
    http = storage(shared)
    body: dict[str, Any] = {"input": [{"source": PEOPLE, "destination": "c"}], "preserve": 0}
    succeed(http, http.post(f"{workspace}/load-clone", body))

    [shown] = http.get(f"{workspace}/objects").json
    assert [column["name"] for column in shown["columns"]] == ["id", "name", "age", "_timestamp"]
    http.post(f"{workspace}/query", {"query": 'delete from "c" where "id" = \'1\''})
    assert len(select(http, workspace, 'select * from "c"')) == 2
    assert len(rows(http, PEOPLE)) == 3
    body["input"][0]["dropTimestampColumn"] = True
    succeed(http, http.post(f"{workspace}/load-clone", body))
    assert "_timestamp" not in str(http.get(f"{workspace}/objects").json)


def test_the_form_of_the_python_client_loads(shared: ServicesOnly, workspace: str) -> None:
    http = storage(shared)
    form = f"preserve=false&input[0][source]={PEOPLE}&input[0][destination]=f".encode()
    response = http.send("POST", f"{workspace}/load", form, {"Content-Type": "application/x-www-form-urlencoded"})

    succeed(http, response)
    assert names(http, workspace) == ["f"]


def test_an_input_mapping_loads(shared: ServicesOnly, workspace: str) -> None:
    http = storage(shared)
    item = {"source": PEOPLE, "destination": "m", "columns": ["id", "age"], "where_column": "id", "where_values": ["1"]}
    item |= {"column_types": [{"source": "age", "type": "INTEGER", "destination": "years"}]}
    succeed(http, http.post(f"{workspace}/input-mapping-load", {"input": [item]}))

    assert select(http, workspace, 'select * from "m"') == [{"id": "1", "years": "36"}]


@pytest.mark.parametrize(
    ("inputs", "status", "code"),
    [
        ([], 400, "workspace.loadRequestInputRequired"),
        ([{"source": PEOPLE}], 400, "workspace.loadRequestLogicalException"),
        ([{"destination": "x"}], 400, "workspace.loadRequestLogicalException"),
        ([{"dataFileId": 1, "destination": "x"}], 400, "workspace.loadRequestBadInputType"),
        ([{"source": PEOPLE, "destination": "x"}] * 2, 400, "workspace.duplicateDestination"),
        ([{"source": "in.c-main.nothing", "destination": "x"}], 404, "workspace.sourceNotFound"),
        ([{"source": "in.c-no.nothing", "destination": "x"}], 404, "workspace.sourceNotFound"),
        ([{"source": PEOPLE, "destination": "x", "columns": ["no"]}], 400, "storage.tables.validation.columnNotExists"),
        ([{"source": PEOPLE, "destination": "x", "loadType": "MAGIC"}], 400, "workspace.loadRequestLogicalException"),
        ([{"source": PEOPLE, "destination": "x", "sourceBranchId": 99}], 404, "storage.branch.notFound"),
        (
            [{"source": PEOPLE, "destination": "x", "columns": ["id", {"source": "name", "destination": "ID"}]}],
            400,
            "workspace.loadRequestLogicalException",
        ),
    ],
)
def test_a_load_that_cannot_work_is_refused_at_once(
    shared: ServicesOnly, workspace: str, inputs: list[dict[str, Any]], status: int, code: str
) -> None:
    response = storage(shared).post(f"{workspace}/load", {"input": inputs})

    assert response.status == status, response.text
    if code.startswith("workspace") or status == 400:
        assert response.json["code"] == code


def test_a_limited_token_loads_and_queries_only_what_it_may_read(shared: ServicesOnly) -> None:
    http = storage(shared)
    load_table(shared, "in.c-open.cities", "id\n1\n")
    rights = {"description": "limited", "bucketPermissions": {"in.c-open": "read"}}
    limited = Http(http.base, http.post("/tokens", rights).json["token"])
    path = f"/workspaces/{make(limited)['id']}"

    denied = limited.post(f"{path}/load", {"input": [{"source": PEOPLE, "destination": "x"}]})
    assert (denied.status, denied.json["code"]) == (403, "workspace.tableAccessDenied")
    assert select(limited, path, 'select * from "in.c-open"."cities"') == [{"id": "1"}]
    refused = limited.post(f"{path}/query", {"query": 'select * from "in.c-main"."people"'}).json
    assert refused["status"] == "error"
    assert "Ada" not in str(refused)


def test_without_access_to_storage_a_workspace_reads_only_its_own_tables(shared: ServicesOnly) -> None:
    http = storage(shared)
    path = f"/workspaces/{make(http, readOnlyStorageAccess=False)['id']}"

    assert http.post(f"{path}/query", {"query": 'select * from "in.c-main"."people"'}).json["status"] == "error"


def test_typed_columns_become_a_typed_table_if_asked(shared: ServicesOnly, workspace: str) -> None:
    http = storage(shared)
    sql = (
        'create or replace table "typed" as select 1::int as "id", 1.50::decimal(9,2) as "price", true as "yes", '
        'date \'2026-01-02\' as "day", \'\' as "empty", null::varchar as "nothing", 1.5::double as "real"'
    )
    assert http.post(f"{workspace}/query", {"query": sql}).json["status"] == "ok"
    source = {"dataWorkspaceId": workspace.split("/")[2], "dataTableName": "typed", "isTyped": True}
    body = {"name": "typed", "primaryKey": "id", **source}
    table = succeed(http, http.post("/buckets/in.c-main/tables-async", body))

    types = [f"{each['name']} {each['definition']['type']}" for each in table["definition"]["columns"]]
    assert table["isTyped"]
    assert ", ".join(types) == (
        "day DATE, empty VARCHAR, id NUMBER, nothing VARCHAR, price NUMBER, real FLOAT, yes BOOLEAN"
    )
    load(http, workspace, {"source": "in.c-main.typed", "destination": "back"})
    [row] = select(http, workspace, 'select "back".*, "empty" is null as "e", "nothing" is null as "n" from "back"')
    assert (row["price"], row["yes"].lower(), row["day"]) == ("1.50", "true", "2026-01-02")
    assert (row["empty"], row["nothing"]) == ("", None)


def test_moments_with_nanoseconds_become_text_since_no_type_of_storage_has_them() -> None:
    assert read_types(["at"], [ResultColumn("at", "TIMESTAMP_NS")])["at"].type == "VARCHAR"


@pytest.mark.parametrize("is_gzipped", [True, False])
def test_a_table_is_exported_to_a_file(shared: ServicesOnly, workspace: str, is_gzipped: bool) -> None:
    http = storage(shared)
    load(http, workspace, {"source": PEOPLE, "destination": "people"})
    wanted = {"tableName": "people", "fileName": "", "fileType": "", "gzip": is_gzipped or ""}
    file_id = succeed(http, http.post(f"{workspace}/table-export", wanted))["file"]["id"]

    reader, shown = to_read(shared.service("storage"), file_id), http.get(f"/files/{file_id}?federationToken=1").json
    content = reader.get(shown["absPath"]["name"]).body
    text = (gzip.decompress(content) if is_gzipped else content).decode()
    assert sorted(line.replace('"', "") for line in text.splitlines()) == [
        "1,Ada,36",
        "2,Grace,",
        "3,Alan,41",
        "id,name,age",
    ]


@pytest.mark.parametrize("wanted", [{}, {"tableName": "x", "fileType": "xml"}])
def test_an_export_that_cannot_work_is_refused(shared: ServicesOnly, workspace: str, wanted: dict[str, Any]) -> None:
    assert storage(shared).post(f"{workspace}/table-export", wanted).status == 400


def test_a_table_that_is_not_there_fails_the_job_with_a_sentence(shared: ServicesOnly, workspace: str) -> None:
    http = storage(shared)
    number = workspace.split("/")[2]
    body = {"name": "x", "dataWorkspaceId": number, "dataTableName": "nowhere"}

    for response in (
        http.post(f"{workspace}/table-export", {"tableName": "nowhere"}),
        http.post("/buckets/in.c-main/tables-async", body),
    ):
        code, message = fail(http, response)
        assert (code, "nowhere" in message) == ("workspace.tableNotFound", True)


@pytest.mark.parametrize(
    "source",
    [
        {"dataWorkspaceId": 999999, "dataTableName": "x"},
        {"dataWorkspaceId": "$own"},
        {"dataFileId": 1, "dataWorkspaceId": "$own", "dataTableName": "x"},
    ],
)
def test_a_source_that_is_none_is_refused_at_once(shared: ServicesOnly, workspace: str, source: dict[str, Any]) -> None:
    body = {key: workspace.split("/")[2] if value == "$own" else value for key, value in source.items()}
    http = storage(shared)

    assert http.post("/buckets/in.c-main/tables-async", {"name": "x", **body}).status in (400, 404)
    assert http.post(f"/tables/{PEOPLE}/import-async", body).status in (400, 404)


def test_another_projects_workspace_is_no_source(shared: ServicesOnly, workspace: str) -> None:
    other = storage(shared, add_project(shared))
    other.post("/buckets", {"name": "main"})
    body = {"name": "x", "dataWorkspaceId": workspace.split("/")[2], "dataTableName": "people"}

    response = other.post("/buckets/in.c-main/tables-async", body)
    assert (response.status, response.json["code"]) == (404, "workspace.workspaceNotFound")


def test_an_unload_follows_the_output_mapping(shared: ServicesOnly) -> None:
    http = storage(shared)
    tables = [{"source": "result", "destination": "out.c-new.result", "primary_key": ["id"]}]
    config = {"name": "u", "configurationId": "u", "configuration": {"storage": {"output": {"tables": tables}}}}
    assert http.post(f"/components/{COMPONENT}/configs", config).status == 201
    number = http.post(f"/components/{COMPONENT}/configs/u/workspaces", {}).json["id"]
    path = f"/workspaces/{number}"
    load(http, path, {"source": PEOPLE, "destination": "result"})

    assert http.post(f"{path}/unload", {"only": True}).json == []
    for _ in range(2):  # the second time the table is there
        response = http.post(f"{path}/unload", {})
        assert response.status == 202
        [job] = response.json
        ended = http.get(f"/jobs/{job['id']}").json
        assert ended["status"] == "success", ended
    assert len(rows(http, "out.c-new.result")) == 3


def test_without_a_configuration_nothing_is_unloaded(shared: ServicesOnly, workspace: str) -> None:
    response = storage(shared).post(f"{workspace}/unload", {"only": True})

    assert (response.status, response.json) == (202, [])


def test_a_statement_that_fails_is_an_answer(shared: ServicesOnly, workspace: str) -> None:
    http = storage(shared)
    response = http.post(f"{workspace}/query", {"query": "select * from nothing_here"})

    assert (response.status, response.json["status"]) == (200, "error")
    assert response.json["message"]
    assert http.post(f"{workspace}/query", {"query": " "}).status == 400
    assert http.post(f"{workspace}/query", {"query": "create table q as select 1 as a"}).json["status"] == "ok"


def test_objects_are_dropped(shared: ServicesOnly, workspace: str) -> None:
    http = storage(shared)
    load(http, workspace, {"source": PEOPLE, "destination": "one"}, {"source": PEOPLE, "destination": "two"})

    assert http.post(f"{workspace}/objects/batch-delete", {"objects": ["one", "nothing"]}).status == 204
    assert names(http, workspace) == ["two"]
