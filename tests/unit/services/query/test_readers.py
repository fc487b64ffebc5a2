"""Members who may only read run SQL that changes nothing."""

from __future__ import annotations

from uuid import uuid4

import pytest

from penstock.services.management.models.people import Role
from tests.support.http import Http
from tests.support.stacks import ServicesOnly
from tests.unit.services.each_database import on_one_database, shared
from tests.unit.services.fill import first_project, load_table
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
    assert reader.storage.post("/v2/storage/workspaces", {"backend": "snowflake"}).status == 403


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
