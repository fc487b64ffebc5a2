"""SET, SHOW and RESET."""

from __future__ import annotations

from contextlib import nullcontext

import psycopg
import pytest

from penstock.pgwire.errors import ClientError
from penstock.pgwire.settings import Settings
from tests.unit.pgwire.sql_server import Login, SqlServer


def test_settings_are_set_and_shown(sql_server: SqlServer, workspace: Login):
    options = "-c statement_timeout=5s -c default_transaction_read_only=on"
    with sql_server.connect(workspace, options=options) as client:
        assert client.execute("SHOW statement_timeout").fetchone() == ("5s",)
        assert client.execute("SHOW default_transaction_read_only").fetchone() == ("on",)
        assert client.execute("SHOW TRANSACTION ISOLATION LEVEL").fetchone() == ("repeatable read",)
        client.execute("SET application_name TO 'other'")
        assert client.info.parameter_status("application_name") == "other"
        client.execute("SET statement_timeout = 0")
        client.execute("RESET ALL; DISCARD ALL; CLOSE ALL; UNLISTEN *; DEALLOCATE ALL")
        assert client.execute("SHOW statement_timeout").fetchone() == ("5s",)
        with pytest.raises(psycopg.errors.InvalidParameterValue, match="UTF8"):
            client.execute("SET client_encoding = 'LATIN1'")


@pytest.mark.parametrize("statement", ["RESET lock_configuration", "SET lock_configuration = false"])
def test_settings_of_the_engine_are_neither_set_nor_reset(sql_server: SqlServer, workspace: Login, statement: str):
    with sql_server.connect(workspace) as client, pytest.raises(psycopg.Error, match="lock_configuration"):
        client.execute(statement.encode())


def test_a_setting_is_reset_by_every_name_that_postgresql_has_for_it(sql_server: SqlServer, workspace: Login):
    with sql_server.connect(workspace) as client:
        client.execute("SET application_name TO 'other'; RESET application_name; RESET TIME ZONE; RESET ROLE")
        client.execute("RESET SESSION AUTHORIZATION")

        assert client.execute("SHOW application_name").fetchone() != ("other",)


def test_settings_are_listed_without_those_of_the_engine(sql_server: SqlServer, workspace: Login):
    query = "SELECT s.setting FROM pg_catalog.pg_settings s WHERE s.name = 'max_index_keys'"
    with sql_server.connect(workspace) as client:
        assert client.execute(query).fetchone() == ("32",)
        assert client.execute("SELECT count(*) FROM pg_settings WHERE setting LIKE '%/%'").fetchone() == (0,)


def test_a_time_zone_other_than_utc_is_warned_about(sql_server: SqlServer, workspace: Login):
    with sql_server.connect(workspace) as client:
        warnings: list[str] = []
        client.add_notice_handler(lambda notice: warnings.append(notice.message_primary or ""))

        client.execute("SET TIME ZONE 'Europe/Prague'")
        client.execute("SET TIME ZONE 'UTC'")

        assert warnings == ["The time zone of a workspace is UTC, and stays so."]
        assert client.execute("SHOW TimeZone").fetchone() == ("UTC",)


@pytest.mark.parametrize(
    ("value", "is_read_only"),
    [("'ON'", True), ("True", True), ("'y'", True), ("1", True), ("'OFF'", False), ("f", False), ("'no'", False)],
)
def test_truth_values_of_settings_are_those_of_postgresql(
    sql_server: SqlServer, workspace: Login, value: str, is_read_only: bool
):
    with sql_server.connect(workspace) as client:
        client.execute(f"SET default_transaction_read_only = {value}".encode())
        shown = client.execute("SHOW default_transaction_read_only").fetchone()
        with pytest.raises(psycopg.errors.InvalidParameterValue, match="on or off"):
            client.execute("SET default_transaction_read_only = 'o'")

        assert shown == ("on" if is_read_only else "off",)
        with pytest.raises(psycopg.errors.ReadOnlySqlTransaction) if is_read_only else nullcontext():
            client.execute("CREATE OR REPLACE TABLE changed (id INTEGER)")


def test_a_setting_is_short():
    with pytest.raises(ClientError, match="at most"):
        Settings("user", "schema").set("application_name", "x" * 100_000)
