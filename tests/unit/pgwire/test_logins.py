"""Who may connect, and how."""

from __future__ import annotations

import time

import psycopg
import pytest

from tests.unit.pgwire.sql_server import Login, SqlServer
from tests.unit.services.fill import add_project


@pytest.fixture(autouse=True)
def quick_refusals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("penstock.pgwire.listener.FAILED_SECONDS", 0.0)


def test_tls_is_verified_against_the_authority_of_the_stack(sql_server: SqlServer, workspace: Login):
    with sql_server.connect(workspace, sslmode="verify-full", sslrootcert=str(sql_server.authority)) as client:
        assert client.pgconn.ssl_in_use
        assert client.execute("SELECT 1").fetchone() == (1,)


def test_a_stack_without_a_certificate_says_so_to_those_that_require_tls(sql_server: SqlServer, workspace: Login):
    context, sql_server.context = sql_server.context, None
    try:
        with pytest.raises(psycopg.OperationalError, match="does not support SSL"):
            sql_server.connect(workspace, sslmode="require")
    finally:
        sql_server.context = context


@pytest.mark.parametrize(
    "change", [{"password": "wrong"}, {"user": "KEBOOLA_WORKSPACE_999999"}, {"user": "postgres"}, {"user": "x" * 5000}]
)
def test_a_wrong_user_or_password_is_refused(sql_server: SqlServer, workspace: Login, change: dict[str, str]):
    with pytest.raises(psycopg.OperationalError, match="The user or the password of the workspace is wrong"):
        sql_server.connect(workspace, **change)


def test_a_wrong_password_takes_a_while(sql_server: SqlServer, workspace: Login, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("penstock.pgwire.listener.FAILED_SECONDS", 0.3)
    begun = time.monotonic()
    with pytest.raises(psycopg.OperationalError):
        sql_server.connect(workspace, password="wrong")

    assert time.monotonic() - begun >= 0.3


def test_the_password_of_one_workspace_does_not_open_another(sql_server: SqlServer, workspace: Login):
    project = add_project(sql_server.services)
    theirs = sql_server.new_workspace(project.token)

    with pytest.raises(psycopg.OperationalError, match="password"):
        sql_server.connect(theirs, password=workspace.password)
    with pytest.raises(psycopg.OperationalError, match=f"no database.*{theirs.database}"):
        sql_server.connect(theirs, dbname=workspace.database)
    with sql_server.connect(theirs) as client, pytest.raises(psycopg.errors.UndefinedTable):
        client.execute('SELECT * FROM "in.c-shop".orders')


def test_the_database_may_be_left_out(sql_server: SqlServer, workspace: Login):
    with sql_server.connect(workspace, dbname=None, user=workspace.user.lower()) as client:
        assert client.execute("SELECT current_database(), current_schema()").fetchone() == (
            workspace.database,
            workspace.schema,
        )


def test_a_key_pair_is_not_a_password(sql_server: SqlServer):
    login = sql_server.new_workspace(loginType="snowflake-person-keypair")

    with pytest.raises(psycopg.OperationalError, match="password"):
        sql_server.connect(login, password="None")


def test_a_new_password_ends_connections_with_the_old_one(sql_server: SqlServer):
    login = sql_server.new_workspace()
    storage = sql_server.services.service("storage")
    with sql_server.connect(login) as client:
        client.execute("SELECT 1")
        new = storage.post(f"/v2/storage/workspaces/{login.id}/password", {}).json["password"]

        with pytest.raises(psycopg.OperationalError, match="password"):
            client.execute("SELECT 1")
        assert client.closed
    with sql_server.connect(login, password=new) as client:
        assert client.execute("SELECT 1").fetchone() == (1,)


def test_a_deleted_workspace_cannot_be_used(sql_server: SqlServer):
    login = sql_server.new_workspace()
    with sql_server.connect(login) as client:
        client.execute("SELECT 1")
        sql_server.services.service("storage").delete(f"/v2/storage/workspaces/{login.id}")

        with pytest.raises(psycopg.OperationalError):
            client.execute("SELECT 1")
    assert not (sql_server.services.stack.folder / "workspaces" / str(login.id)).exists()


def test_a_token_that_is_revoked_ends_the_access_of_its_workspaces(sql_server: SqlServer):
    storage = sql_server.services.service("storage")
    made = storage.post("/v2/storage/tokens", {"description": "for a while", "canReadAllFileUploads": False}).json
    login = sql_server.new_workspace(made["token"])
    with sql_server.connect(login) as client:
        with pytest.raises(psycopg.errors.UndefinedTable):  # it may read no bucket
            client.execute('SELECT * FROM "in.c-shop".orders')
        storage.delete(f"/v2/storage/tokens/{made['id']}")

        with pytest.raises(psycopg.OperationalError):
            client.execute("SELECT 1")


def test_a_connection_that_ends_leaves_no_session_behind(sql_server: SqlServer, workspace: Login):
    client = sql_server.connect(workspace)
    client.execute("BEGIN")
    client.execute("CREATE TABLE never_committed (id INTEGER)")
    client.close()
    sql_server.wait_until_idle()

    with sql_server.connect(workspace) as other:
        assert other.execute("CREATE TABLE never_committed (id INTEGER)").statusmessage == "CREATE TABLE"
        other.execute("DROP TABLE never_committed")
