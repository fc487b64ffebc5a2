"""Members who may only read run SQL that changes nothing, also in a workspace of their own."""

from __future__ import annotations

from uuid import uuid4

import pytest

from penstock.client import connect
from penstock.services.management.models.people import Role
from penstock.services.storage.operations.workspaces.workspaces import MAX_READERS
from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.each_database import on_one_database, shared
from tests.unit.services.fill import add_project, first_project, load_table
from tests.unit.services.members import add_member_with
from tests.unit.services.query.workspaces import SqlWorkspace, finish, read_results

__all__ = ["shared"]
ROLES: list[Role] = ["readOnly", "guest"]


@pytest.fixture(scope="module")
def workspace(shared: ServicesOnly) -> SqlWorkspace:
    load_table(shared, "in.c-shop.orders", "id,price\n1,10\n2,20\n")
    made = SqlWorkspace(shared)
    made.run('CREATE TABLE "own" AS SELECT 1 AS n')
    return made


@pytest.fixture(scope="module")
def reader(shared: ServicesOnly, workspace: SqlWorkspace) -> SqlWorkspace:
    return as_member(shared, workspace, "readOnly")


def as_member(services: ServicesOnly, workspace: SqlWorkspace, role: Role) -> SqlWorkspace:
    """The same workspace, of somebody else."""
    client = add_member_with(services, first_project(services), role)
    other = object.__new__(SqlWorkspace)
    other.__dict__ |= workspace.__dict__
    other.storage, other.query = client, Http(services.service("query").base, client.token)
    return other


@pytest.mark.parametrize("role", ROLES)
def test_a_member_who_only_reads_queries_tables_of_the_project_and_of_the_workspace(
    shared: ServicesOnly, workspace: SqlWorkspace, role: Role
) -> None:
    reader = as_member(shared, workspace, role)

    assert reader.rows(f'SELECT sum("price"::INT) FROM "{workspace.database}"."in.c-shop"."orders"') == [["30"]]
    assert reader.rows('SELECT * FROM "own"') == [["1"]]


@on_one_database
@pytest.mark.parametrize(
    "sql",
    [
        'CREATE TABLE "mine" AS SELECT 1 AS n',
        'INSERT INTO "own" SELECT 2',
        'UPDATE "own" SET n = 3',
        'DELETE FROM "own"',
        'DROP TABLE "own"',
        'ALTER TABLE "own" ADD COLUMN m INT',
        'CREATE VIEW "seen" AS SELECT 1 AS n',
        'CREATE SCHEMA "other"',
        'TRUNCATE TABLE "own"',
    ],
)
def test_what_would_change_something_fails_with_a_sentence(
    reader: SqlWorkspace, workspace: SqlWorkspace, sql: str
) -> None:
    tried = ([sql], ["BEGIN", sql, "COMMIT"], ["COMMIT", sql], ["ROLLBACK", sql])
    submitted = [reader.submit(*each, dialect=dialect) for each in tried for dialect in ("snowflake", "duckdb")]

    # The last first: when it has ended, nobody needs to ask for the others again and again.
    for response in reversed(submitted):
        job = finish(reader.query, response.json["queryJobId"])
        assert job["status"] == "failed"
        assert any(statement.get("error") for statement in job["statements"])

    assert workspace.rows('SELECT * FROM "own"') == [["1"]]
    names = workspace.rows("SELECT table_name FROM information_schema.tables WHERE table_schema ILIKE 'WORKSPACE%'")
    assert [name for [name] in names] == ["own"]


def test_it_neither_ends_nor_sees_a_transaction_of_somebody_else(reader: SqlWorkspace, workspace: SqlWorkspace) -> None:
    session = str(uuid4())
    workspace.run("BEGIN", 'INSERT INTO "own" SELECT 7', sessionId=session)

    for sql in ("COMMIT", "ROLLBACK", 'SELECT * FROM "own"'):
        refused = reader.run(sql, sessionId=session)
        assert refused["status"] == "failed"
        assert "open transaction that may write" in refused["statements"][0]["error"]
    assert workspace.rows("ROLLBACK", 'SELECT * FROM "own"', sessionId=session) == [["1"]]


def test_an_administrator_sees_the_query_of_a_member_who_only_reads(
    reader: SqlWorkspace, workspace: SqlWorkspace
) -> None:
    submitted = reader.submit('SELECT 1 AS "a"')

    job = finish(reader.query, submitted.json["queryJobId"])
    assert read_results(reader.query, job).json["data"] == [["1"]]
    assert workspace.query.get(f"/api/v1/queries/{submitted.json['queryJobId']}").status == 200


@pytest.mark.parametrize("role", ROLES)
def test_a_member_who_only_reads_has_a_workspace_of_its_own_that_only_reads(
    shared: ServicesOnly, workspace: SqlWorkspace, role: Role
) -> None:
    member = add_member_with(shared, first_project(shared), role)
    own = SqlWorkspace(shared, member.token)

    assert own.rows(f'SELECT sum("price"::INT) FROM "{own.database}"."in.c-shop"."orders"') == [["30"]]
    for sql in ('CREATE TABLE "t" AS SELECT 1 AS n', 'DROP TABLE "own"', "CREATE TEMPORARY TABLE t AS SELECT 1 AS n"):
        assert own.run(sql)["status"] == "failed"
    # Nor does anybody else write there.
    admin = as_admin_in(workspace, own)
    assert admin.run('CREATE TABLE "t" AS SELECT 1 AS n')["status"] == "failed"
    assert member.delete(f"/v2/storage/workspaces/{own.id}").status == 204


def as_admin_in(admin: SqlWorkspace, other: SqlWorkspace) -> SqlWorkspace:
    made = object.__new__(SqlWorkspace)
    made.__dict__ |= other.__dict__ | {"storage": admin.storage, "query": admin.query}
    return made


def test_what_is_not_its_own_or_would_write_is_refused_with_the_role(
    shared: ServicesOnly, workspace: SqlWorkspace
) -> None:
    member = add_member_with(shared, first_project(shared), "readOnly")
    own = SqlWorkspace(shared, member.token)
    job = workspace.submit('SELECT 1 AS "a"').json["queryJobId"]
    every, table = "/v2/storage/workspaces", {"name": "t", "dataWorkspaceId": own.id, "dataTableName": "t"}
    load = {"input": [{"source": "in.c-shop.orders", "destination": "orders"}]}
    refused = [
        member.post(every, {"useCase": "normal"}),
        member.post(f"{every}/{own.id}/load", load),
        member.post(f"{every}/{own.id}/unload", {}),
        member.post(f"{every}/{own.id}/query", {"query": "SELECT 1"}),
        member.post("/v2/storage/buckets/in.c-shop/tables-async", table),
        member.delete(f"{every}/{workspace.id}"),
        own.query.post(f"/api/v1/queries/{job}/cancel", {}),
    ]

    assert [response.status for response in refused] == [403] * len(refused)
    assert all('Your role in this project is "readOnly"' in response.text.replace("\\", "") for response in refused)


def test_a_member_who_only_reads_cancels_its_own_query(shared: ServicesOnly, workspace: SqlWorkspace) -> None:
    own = SqlWorkspace(shared, add_member_with(shared, first_project(shared), "readOnly").token)
    endless = "SELECT count(*) FROM range(1000000000) a, range(1000000000) b WHERE a.range % 7 = b.range % 5"
    job = own.submit(endless, dialect="duckdb").json["queryJobId"]

    assert own.query.post(f"/api/v1/queries/{job}/cancel", {}).status == 200
    assert finish(own.query, job)["status"] == "canceled"


@on_one_database
def test_it_has_no_more_workspaces_than_it_needs(shared: ServicesOnly) -> None:
    member = add_member_with(shared, first_project(shared), "readOnly")
    made = [member.post("/v2/storage/workspaces", {"loginType": "none"}) for _ in range(MAX_READERS + 1)]

    assert [response.status for response in made] == [201] * MAX_READERS + [400]
    assert "Delete one first" in made[-1].json["error"]
    assert member.delete(f"/v2/storage/workspaces/{made[0].json['id']}").status == 204
    assert member.post("/v2/storage/workspaces", {"loginType": "none"}).status == 201


def test_it_has_sessions_of_the_editor_that_only_read(shared: ServicesOnly, workspace: SqlWorkspace) -> None:
    member = add_member_with(shared, first_project(shared), "readOnly")
    editor, query = (Http(shared.service(name).base, member.token) for name in ("editor", "query"))
    body = {"branchId": str(workspace.branch_id)}
    own = f"/sql/sessions/{editor.post('/sql/sessions', body).json['id']}"
    other = f"/sql/sessions/{shared.service('editor').post('/sql/sessions', body).json['id']}"

    def run(sql: str) -> str:
        started = editor.post(f"{own}/run-query", {"queries": [sql]})
        return finish(query, started.json["queryJobId"])["status"]

    assert [run("SELECT 1"), run("CREATE TABLE t AS SELECT 1 AS n")] == ["completed", "failed"]
    with_mapping = {**body, "componentId": "keboola.sandboxes", "configurationId": "1", "loadMode": "input"}
    assert editor.post("/sql/sessions", with_mapping).status in (403, 404)
    refused = [
        editor.post(f"{own}/load", {"mode": "clean"}),
        editor.post(f"{own}/unload", {}),
        editor.post(f"{other}/run-query", {"queries": ["SET a = 1"]}),
        editor.delete(other),
    ]
    assert [response.status for response in refused] == [403] * len(refused)
    assert all('"readOnly"' in response.json["message"] for response in refused)
    assert editor.delete(own).status == 204


def test_a_token_that_reads_one_bucket_has_a_workspace_and_writes_nothing_into_storage(
    shared: ServicesOnly, workspace: SqlWorkspace
) -> None:
    wanted = {"description": "reads", "bucketPermissions": {"in.c-shop": "read"}}
    own = SqlWorkspace(shared, workspace.storage.post("/v2/storage/tokens", wanted).json["token"])
    table = f'"{own.database}"."in.c-shop"."orders"'

    assert own.rows(f"CREATE TABLE t AS SELECT * FROM {table}", "SELECT count(*) FROM t") == [["2"]]
    body = {"name": "t", "dataWorkspaceId": own.id, "dataTableName": "T"}
    assert own.storage.post("/v2/storage/buckets/in.c-shop/tables-async", body).status == 403


@on_one_database
def test_the_client_of_a_member_who_only_reads_finds_or_makes_a_workspace(shared: ServicesOnly) -> None:
    project = add_project(shared)
    member = add_member_with(shared, project, "readOnly")

    with connect(member.base, member.token or "") as client:
        assert client.sql("SELECT 42 AS n").rows() == [(42,)]
    [made] = member.get("/v2/storage/workspaces").json
    assert (made["component"], made["configurationId"]) == (None, None)
